// search.js
