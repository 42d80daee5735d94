// parent.js
