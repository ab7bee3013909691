"""Tests of the forms, tables and templates of the studio."""
