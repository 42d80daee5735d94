// place.js
