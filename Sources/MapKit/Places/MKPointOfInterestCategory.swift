public import Foundation

/// A kind of places that people go to.
public struct MKPointOfInterestCategory: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  private static func named(_ name: String) -> Self { Self(rawValue: "MKPOICategory\(name)") }

  public static let airport = named("Airport")
  public static let amusementPark = named("AmusementPark")
  public static let aquarium = named("Aquarium")
  public static let atm = named("ATM")
  public static let bakery = named("Bakery")
  public static let bank = named("Bank")
  public static let beach = named("Beach")
  public static let brewery = named("Brewery")
  public static let cafe = named("Cafe")
  public static let campground = named("Campground")
  public static let carRental = named("CarRental")
  public static let evCharger = named("EVCharger")
  public static let fireStation = named("FireStation")
  public static let fitnessCenter = named("FitnessCenter")
  public static let foodMarket = named("FoodMarket")
  public static let gasStation = named("GasStation")
  public static let hospital = named("Hospital")
  public static let hotel = named("Hotel")
  public static let laundry = named("Laundry")
  public static let library = named("Library")
  public static let marina = named("Marina")
  public static let movieTheater = named("MovieTheater")
  public static let museum = named("Museum")
  public static let nationalPark = named("NationalPark")
  public static let nightlife = named("Nightlife")
  public static let park = named("Park")
  public static let parking = named("Parking")
  public static let pharmacy = named("Pharmacy")
  public static let police = named("Police")
  public static let postOffice = named("PostOffice")
  public static let publicTransport = named("PublicTransport")
  public static let restaurant = named("Restaurant")
  public static let restroom = named("Restroom")
  public static let school = named("School")
  public static let stadium = named("Stadium")
  public static let store = named("Store")
  public static let theater = named("Theater")
  public static let university = named("University")
  public static let winery = named("Winery")
  public static let zoo = named("Zoo")

  // Since iOS 18.
  public static let animalService = named("AnimalService")
  public static let automotiveRepair = named("AutomotiveRepair")
  public static let baseball = named("Baseball")
  public static let basketball = named("Basketball")
  public static let beauty = named("Beauty")
  public static let bowling = named("Bowling")
  public static let castle = named("Castle")
  public static let conventionCenter = named("ConventionCenter")
  public static let distillery = named("Distillery")
  public static let fairground = named("Fairground")
  public static let fishing = named("Fishing")
  public static let fortress = named("Fortress")
  public static let golf = named("Golf")
  public static let goKart = named("GoKart")
  public static let hiking = named("Hiking")
  public static let kayaking = named("Kayaking")
  public static let landmark = named("Landmark")
  public static let mailbox = named("Mailbox")
  public static let miniGolf = named("MiniGolf")
  public static let musicVenue = named("MusicVenue")
  public static let nationalMonument = named("NationalMonument")
  public static let planetarium = named("Planetarium")
  public static let rockClimbing = named("RockClimbing")
  public static let rvPark = named("RVPark")
  public static let skatePark = named("SkatePark")
  public static let skating = named("Skating")
  public static let skiing = named("Skiing")
  public static let soccer = named("Soccer")
  public static let spa = named("Spa")
  public static let surfing = named("Surfing")
  public static let swimming = named("Swimming")
  public static let tennis = named("Tennis")
  public static let volleyball = named("Volleyball")
}

extension MKPointOfInterestCategory {
  /// The kinds of places on the disk and of OpenStreetMap's values that each has. The first is the disk's, for
  /// questions.
  private static let kinds: [(category: Self, names: [String])] = [
    (.airport, ["airport", "aerodrome"]),
    (.amusementPark, ["amusementPark", "theme_park"]),
    (.aquarium, ["aquarium"]),
    (.atm, ["atm"]),
    (.bakery, ["bakery"]),
    (.bank, ["bank"]),
    (.beach, ["beach", "beach_resort"]),
    (.brewery, ["craft=brewery"]),
    (.cafe, ["cafe"]),
    (.campground, ["campground", "camp_site", "caravan_site"]),
    (.carRental, ["carRental", "car_rental"]),
    (.evCharger, ["evCharger", "charging_station"]),
    (.fireStation, ["fireStation", "fire_station"]),
    (.fitnessCenter, ["fitnessCenter", "fitness_centre", "sports_centre", "gym"]),
    (.foodMarket, ["foodMarket", "supermarket", "marketplace", "convenience"]),
    (.gasStation, ["gasStation", "fuel"]),
    (.hospital, ["hospital", "clinic"]),
    (.hotel, ["hotel", "hostel", "guest_house", "motel"]),
    (.laundry, ["laundry", "dry_cleaning"]),
    (.library, ["library"]),
    (.marina, ["marina"]),
    (.movieTheater, ["movieTheater", "cinema"]),
    (.museum, ["museum"]),
    (.nationalPark, ["nationalPark", "national_park"]),
    (.nightlife, ["nightlife", "nightclub", "bar", "pub"]),
    (.park, ["park"]),
    (.parking, ["parking"]),
    (.pharmacy, ["pharmacy"]),
    (.police, ["police"]),
    (.postOffice, ["postOffice", "post_office"]),
    (
      .publicTransport,
      [
        "station", "publicTransport", "bus_stop", "bus_station", "halt", "tram_stop",
        "subway_entrance",
        "ferry_terminal",
      ]
    ),
    (.restaurant, ["restaurant", "fast_food", "food_court"]),
    (.restroom, ["restroom", "toilets"]),
    (.school, ["school", "kindergarten"]),
    (.stadium, ["stadium"]),
    (.store, ["store", "shop", "mall", "department_store"]),
    (.theater, ["theater", "theatre"]),
    (.university, ["university", "college"]),
    (.winery, ["craft=winery"]),
    (.zoo, ["zoo"]),
    (.animalService, ["amenity=veterinary", "animal_boarding", "animal_shelter"]),
    (.automotiveRepair, ["car_repair"]),
    (.beauty, ["hairdresser", "beauty"]),
    (.bowling, ["leisure=bowling_alley"]),
    (.castle, ["historic=castle"]),
    (.conventionCenter, ["amenity=conference_centre", "exhibition_centre"]),
    (.distillery, ["craft=distillery"]),
    (.fairground, ["fairground"]),
    (.fishing, ["leisure=fishing"]),
    (.fortress, ["historic=fort"]),
    (.golf, ["leisure=golf_course"]),
    (.hiking, ["tourism=alpine_hut", "wilderness_hut"]),
    (.landmark, ["landmark", "attraction", "viewpoint", "tower"]),
    (.mailbox, ["amenity=post_box"]),
    (.miniGolf, ["leisure=miniature_golf"]),
    (.musicVenue, ["amenity=music_venue", "concert_hall"]),
    (.nationalMonument, ["historic=monument"]),
    (.planetarium, ["amenity=planetarium"]),
    (.skating, ["leisure=ice_rink"]),
    (.spa, ["spa", "public_bath"]),
    (.swimming, ["leisure=swimming_pool", "swimming_area"]),
  ]

  init?(kind: String) {
    let value = Self.value(of: kind)
    guard let match = Self.kinds.first(where: { $0.names.contains { Self.value(of: $0) == value } })
    else { return nil }
    self = match.category
  }

  /// OpenStreetMap's kinds on the disk are `key=value`.
  private static func value(of kind: String) -> Substring {
    kind.split(separator: "=", maxSplits: 1).last ?? ""
  }

  var kinds: [String] { Self.kinds.first { $0.category == self }?.names ?? [] }
}

/// Which points of interest a search gives.
public final class MKPointOfInterestFilter: NSObject, NSCopying, Sendable {
  private let categories: Set<MKPointOfInterestCategory>
  private let isIncluding: Bool

  public static let includingAll = MKPointOfInterestFilter(excluding: [])
  public static let excludingAll = MKPointOfInterestFilter(including: [])

  public init(including categories: [MKPointOfInterestCategory]) {
    self.categories = Set(categories)
    isIncluding = true
  }

  public init(excluding categories: [MKPointOfInterestCategory]) {
    self.categories = Set(categories)
    isIncluding = false
  }

  public func includes(_ category: MKPointOfInterestCategory) -> Bool {
    categories.contains(category) == isIncluding
  }

  public func excludes(_ category: MKPointOfInterestCategory) -> Bool { !includes(category) }

  // A filter never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? MKPointOfInterestFilter else { return false }
    return other.categories == categories && other.isIncluding == isIncluding
  }

  public override var hash: Int { categories.hashValue }

  /// True where it asks for kinds, and so for nothing else.
  var namesKinds: Bool { isIncluding && !categories.isEmpty }

  /// True where no kind is wanted.
  var includesNone: Bool { isIncluding && categories.isEmpty }

  /// The disk's words for the kinds that it names; none where it names none.
  var wantedKinds: [String] { namesKinds ? categories.compactMap(\.kinds.first).sorted() : [] }

  /// The only one that is wanted.
  var onlyCategory: MKPointOfInterestCategory? {
    isIncluding && categories.count == 1 ? categories.first : nil
  }
}
