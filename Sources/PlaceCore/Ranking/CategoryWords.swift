/// Words for kinds of places, in the languages that places are told in.
package enum CategoryWords {
  /// The kind that a question asks for and nothing else: `cafe`, `약국`, `Apotheke in der Nähe`. The words are folded.
  package static func category(of words: [String]) -> String? {
    let text = words.joined(separator: " ")
    if let category = table[text] { return category }
    for near in nearby {
      if text.hasSuffix(" " + near), let category = table[String(text.dropLast(near.count + 1))] {
        return category
      }
      if text.hasPrefix(near + " "), let category = table[String(text.dropFirst(near.count + 1))] {
        return category
      }
    }
    return nil
  }

  private static let nearby = [
    "near me", "nearby", "near here", "근처", "주변", "내 주변", "in der nähe", "in meiner nähe",
    "à proximité",
    "près de moi", "cerca", "cerca de mí", "附近", "附近的", "近くの", "近く", "рядом", "поблизости",
    "بالقرب مني",
  ].map(Folding.fold)

  private static let table: [String: String] = words.reduce(into: [:]) { table, entry in
    for word in entry.words.split(separator: ",") { table[Folding.fold(String(word))] = entry.kind }
  }

  private static let words: [(kind: String, words: String)] = [
    (
      "cafe",
      "cafe,cafes,coffee,coffee shop,coffee shops,kaffee,cafés,cafetería,cafeterías,카페,커피,커피숍,カフェ,喫茶店,コーヒー,"
        + "咖啡,咖啡馆,咖啡店,咖啡廳,مقهى,قهوة,кафе,кофейня,кофе"
    ),
    (
      "restaurant",
      "restaurant,restaurants,food,restaurante,restaurantes,comida,음식점,식당,맛집,레스토랑,レストラン,食堂,餐厅,餐廳,饭店,餐馆,مطعم,"
        + "مطاعم,ресторан,рестораны,еда,essen,gaststätte"
    ),
    (
      "nightlife",
      "bar,bars,pub,pubs,nightclub,club,kneipe,kneipen,bares,boîte de nuit,discoteca,술집,바,클럽,バー,居酒屋,クラブ,酒吧,夜店,حانة,"
        + "бар,бары,клуб,паб"
    ),
    (
      "pharmacy",
      "pharmacy,pharmacies,drugstore,chemist,apotheke,apotheken,pharmacie,farmacia,farmacias,약국,薬局,ドラッグストア,药店,"
        + "藥局,药房,صيدلية,صيدليات,аптека,аптеки"
    ),
    (
      "hospital",
      "hospital,hospitals,clinic,krankenhaus,krankenhäuser,klinik,hôpital,hôpitaux,clinique,hospitales,clínica,병원,"
        + "의원,病院,医院,醫院,诊所,مستشفى,عيادة,больница,клиника"
    ),
    (
      "bank",
      "bank,banks,banken,banque,banques,banco,bancos,은행,銀行,银行,بنك,مصرف,банк,банки"
    ),
    (
      "atm",
      "atm,atms,cash machine,geldautomat,bankomat,distributeur,distributeur de billets,cajero,cajero automático,현금인출기,"
        + "에이티엠,自動取款機,取款机,自动取款机,صراف آلي,банкомат,банкоматы"
    ),
    (
      "gasStation",
      "gas station,gas stations,petrol station,fuel,gas,petrol,tankstelle,tankstellen,station service,essence,gasolinera,"
        + "gasolineras,주유소,ガソリンスタンド,加油站,محطة وقود,محطة بنزين,заправка,азс"
    ),
    (
      "evCharger",
      "charging station,ev charger,charger,ladestation,ladesäule,borne de recharge,estación de carga,충전소,전기차 충전소,充電スタンド,"
        + "充电站,充電站,محطة شحن,зарядная станция"
    ),
    (
      "parking",
      "parking,car park,parking lot,parkplatz,parkhaus,parkplätze,stationnement,aparcamiento,estacionamiento,주차장,駐車場,"
        + "停车场,停車場,موقف سيارات,парковка,стоянка"
    ),
    (
      "school",
      "school,schools,schule,schulen,kindergarten,école,écoles,escuela,escuelas,colegio,학교,유치원,学校,幼稚園,学校,學校,مدرسة,"
        + "مدارس,школа,школы"
    ),
    (
      "university",
      "university,universität,hochschule,université,universidad,대학교,대학,大学,大學,جامعة,университет"
    ),
    (
      "library",
      "library,libraries,bibliothek,bücherei,bibliothèque,biblioteca,도서관,図書館,图书馆,圖書館,مكتبة,библиотека"
    ),
    (
      "police",
      "police,police station,polizei,commissariat,policía,comisaría,경찰서,파출소,警察,警察署,交番,派出所,شرطة,полиция"
    ),
    ("fireStation", "fire station,feuerwehr,pompiers,bomberos,소방서,消防署,消防站,إطفاء,пожарная часть"),
    (
      "postOffice",
      "post office,post,post offices,postamt,poste,bureau de poste,correos,우체국,郵便局,邮局,郵局,مكتب بريد,почта"
    ),
    ("theater", "theater,theatre,theaters,théâtre,teatro,극장,劇場,剧院,مسرح,театр"),
    (
      "movieTheater",
      "cinema,movie theater,movies,cinemas,kino,kinos,cinéma,cine,cines,영화관,映画館,电影院,電影院,سينما,кинотеатр,кино"
    ),
    (
      "restroom",
      "toilet,toilets,restroom,restrooms,wc,toilette,toiletten,toilettes,baño,baños,aseos,화장실,トイレ,お手洗い,厕所,洗手间,廁所,"
        + "مرحاض,حمام,туалет,туалеты"
    ),
    (
      "hotel",
      "hotel,hotels,hostel,motel,hôtel,hôtels,hoteles,albergue,호텔,숙소,모텔,ホテル,旅館,酒店,旅馆,飯店,فندق,فنادق,отель,отели,гостиница"
    ),
    (
      "museum",
      "museum,museums,museen,musée,musées,museo,museos,박물관,미술관,博物館,美術館,博物馆,متحف,музей,музеи"
    ),
    ("zoo", "zoo,tierpark,zoológico,동물원,動物園,动物园,حديقة حيوان,зоопарк"),
    ("aquarium", "aquarium,acuario,수족관,아쿠아리움,水族館,水族馆,аквариум,океанариум"),
    (
      "bakery",
      "bakery,bakeries,bäckerei,bäcker,boulangerie,panadería,빵집,제과점,パン屋,ベーカリー,面包店,麵包店,مخبز,пекарня,булочная"
    ),
    (
      "foodMarket",
      "supermarket,supermarkets,grocery,groceries,grocery store,supermarkt,supermärkte,supermarché,supermarchés,"
        + "épicerie,supermercado,supermercados,슈퍼,슈퍼마켓,마트,편의점,スーパー,コンビニ,超市,便利店,超級市場,سوبرماركت,بقالة,супермаркет,продукты,магазин продуктов"
    ),
    (
      "laundry",
      "laundry,laundromat,dry cleaning,wäscherei,waschsalon,laverie,pressing,lavandería,세탁소,빨래방,コインランドリー,洗衣店,مغسلة,прачечная"
    ),
    (
      "store",
      "shop,shops,store,stores,laden,geschäft,geschäfte,magasin,magasins,boutique,tienda,tiendas,가게,상점,店,商店,متجر,محل,магазин,магазины"
    ),
    (
      "station",
      "station,stations,train station,railway station,bahnhof,bahnhöfe,gare,gares,estación,estación de tren,역,기차역,지하철역,駅,车站,"
        + "火车站,車站,地铁站,محطة,محطة قطار,вокзал,станция,метро"
    ),
    (
      "publicTransport",
      "bus stop,bus stops,bus,haltestelle,haltestellen,bushaltestelle,arrêt de bus,arrêt,parada,parada de autobús,버스정류장,정류장,バス停,"
        + "公交站,公车站,公車站,موقف حافلات,остановка,автобус"
    ),
    ("park", "park,parks,parc,parcs,jardin,parque,parques,공원,公園,公园,حديقة,парк,парки,garten"),
    ("marina", "marina,yachthafen,port de plaisance,puerto deportivo,마리나,マリーナ,码头,مرسى,марина"),
    ("stadium", "stadium,stadion,stade,estadio,경기장,스타디움,スタジアム,体育场,體育場,ملعب,стадион"),
    (
      "fitnessCenter",
      "gym,fitness,fitness center,fitnessstudio,salle de sport,gimnasio,헬스장,체육관,ジム,健身房,نادي رياضي,спортзал,фитнес"
    ),
    (
      "airport",
      "airport,airports,flughafen,flughäfen,aéroport,aeropuerto,공항,空港,机场,機場,مطار,аэропорт"
    ),
    (
      "beach",
      "beach,beaches,strand,strände,plage,plages,playa,playas,해수욕장,해변,ビーチ,海水浴場,海滩,沙滩,海灘,شاطئ,пляж,пляжи"
    ),
    (
      "carRental",
      "car rental,rental car,autovermietung,mietwagen,location de voitures,alquiler de coches,렌터카,レンタカー,租车,租車,تأجير سيارات,прокат автомобилей"
    ),
    (
      "amenity=place_of_worship",
      "church,churches,place of worship,kirche,kirchen,église,églises,iglesia,iglesias,교회,성당,教会,教堂,كنيسة,"
        + "церковь,церкви"
    ),
    (
      "amenity=doctors",
      "doctor,doctors,arzt,ärzte,médecin,médecins,médico,médicos,医生,врач,врачи,طبيب"
    ),
    (
      "amenity=dentist",
      "dentist,dentists,zahnarzt,zahnärzte,dentiste,dentistes,dentista,dentistas,치과,歯医者,歯科,牙医,стоматолог"
    ),
    ("campground", "campground,campsite,camping,campingplatz,캠핑장,キャンプ場,露营地,露營地,مخيم,кемпинг"),
  ]
}
