// land.js
