"""Cards and decks for Cockatrice, a program for playing card games over the network."""
