import js from "@eslint/js";

export default [
  js.configs.recommended,
  {
    rules: {
      "no-undef": "off", // tsc knows the browser
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-shadow-restricted-names": "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
    },
  },
  { ignores: ["**/vendor/"] },
];
