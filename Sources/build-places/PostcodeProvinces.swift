/// The beginnings of postcodes where no data has the codes: by the posts' own division, compiled by hand.
enum PostcodeProvinces {
  /// The capitals of the provinces 01 to 52.
  static let spain = [
    "Vitoria-Gasteiz", "Albacete", "Alicante", "Almería", "Ávila", "Badajoz", "Palma", "Barcelona",
    "Burgos", "Cáceres", "Cádiz", "Castellón de la Plana", "Ciudad Real", "Córdoba", "A Coruña",
    "Cuenca", "Girona", "Granada", "Guadalajara", "San Sebastián", "Huelva", "Huesca", "Jaén",
    "León",
    "Lleida", "Logroño", "Lugo", "Madrid", "Málaga", "Murcia", "Pamplona", "Ourense", "Oviedo",
    "Palencia", "Las Palmas de Gran Canaria", "Pontevedra", "Salamanca", "Santa Cruz de Tenerife",
    "Santander", "Segovia", "Sevilla", "Soria", "Tarragona", "Teruel", "Toledo", "Valencia",
    "Valladolid", "Bilbao", "Zamora", "Zaragoza", "Ceuta", "Melilla",
  ]

  /// Berlin's districts by the beginnings of their codes, where the district lies around all of them.
  static let berlin: [String: [String]] = [
    "Adlershof": ["1248"], "Alt-Treptow": ["1243"], "Britz": ["1234"],
    "Charlottenburg": ["1058", "1062"], "Dahlem": ["14195"], "Friedrichsfelde": ["1031"],
    "Friedrichshain": ["1024"], "Gesundbrunnen": ["13355", "13357", "13359"],
    "Grunewald": ["14193"], "Hellersdorf": ["12619", "12627", "12629"], "Karlshorst": ["1245"],
    "Karow": ["13125"], "Kreuzberg": ["1096", "1099"], "Köpenick": ["12555", "12557"],
    "Lankwitz": ["1224"], "Lichtenberg": ["1036"], "Lichtenrade": ["1230"],
    "Lichterfelde": ["1220"], "Marienfelde": ["1227"],
    "Marzahn": ["12679", "12681", "12685", "12687", "12689"], "Mitte": ["1011", "1017"],
    "Moabit": ["1055"], "Neukölln": ["1204", "1205"], "Pankow": ["13156", "1318"],
    "Prenzlauer Berg": ["1040", "1043"], "Reinickendorf": ["1340"], "Rudow": ["1235"],
    "Schöneberg": ["1077", "1078", "1082"], "Siemensstadt": ["1362"],
    "Spandau": ["13581", "13583", "13585", "13587", "13589", "13597"],
    "Steglitz": ["1215", "1216"], "Tegel": ["13507", "13509"],
    "Tempelhof": ["1209", "1210"], "Wannsee": ["14109"],
    "Wedding": ["1334", "13351", "13353"], "Weißensee": ["13053", "13055", "1308"],
    "Westend": ["1405"], "Wilmersdorf": ["1070", "1071", "14197", "14199"],
    "Wittenau": ["1343"], "Zehlendorf": ["1416"],
  ]

  /// Numbers, and the middle of what they are for: Seoul's gu, else provinces.
  static let korea = """
    010-012 37.6397 127.0255
    013-015 37.6688 127.0471
    016-019 37.6543 127.0565
    020-023 37.6063 127.0928
    024-026 37.5744 127.0396
    027-029 37.6063 127.0178
    030-032 37.5949 126.9773
    033-035 37.6176 126.9227
    036-038 37.5791 126.9368
    039-042 37.5638 126.9084
    043-044 37.5311 126.9811
    045-046 37.5636 126.9976
    047-048 37.5506 127.0409
    049-051 37.5385 127.0823
    052-054 37.5301 127.1238
    055-059 37.5048 127.1144
    060-064 37.4966 127.0630
    065-068 37.4737 127.0312
    069-071 37.4965 126.9444
    072-074 37.5223 126.9102
    075-078 37.5509 126.8495
    079-081 37.5170 126.8666
    082-084 37.4954 126.8581
    085-086 37.4600 126.9001
    087-089 37.4784 126.9516
    10-20 37.35 127.15
    21-23 37.46 126.68
    24-26 37.75 128.3
    27-29 36.75 127.75
    30 36.53 127.29
    31-33 36.6 126.9
    34-35 36.35 127.39
    36-40 36.3 128.75
    41-43 35.85 128.57
    44-45 35.54 129.28
    46-49 35.17 129.06
    50-53 35.3 128.3
    54-56 35.75 127.1
    57-60 34.95 126.95
    61-62 35.155 126.85
    63 33.4 126.55
    """
}
