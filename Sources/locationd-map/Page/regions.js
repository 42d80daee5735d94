// regions.js
