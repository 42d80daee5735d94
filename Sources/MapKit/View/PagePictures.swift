/// The pictures that the page has been told, by their numbers. Unused ones are forgotten together, when
/// all that lies on the map is told again. A number is given once, so that the page may tell by it what is new.
struct PagePictures {
  private var numbers: [UIImage: Int] = [:]
  private var last = 0
  private var bytes = 0
  private var most: Int
  private let room: Int

  /// `room`: more bytes than these are told before all is told again.
  init(room: Int = 4 << 20) { (self.room, most) = (room, room) }

  /// The next news are to be whole.
  var areMany: Bool { bytes > most }

  mutating func number(of image: UIImage) -> (number: Int, isNew: Bool) {
    if let number = numbers[image] { return (number, false) }
    last += 1
    numbers[image] = last
    bytes += image.pngData()?.count ?? 0
    return (last, true)
  }

  mutating func forget() { (numbers, bytes) = ([:], 0) }

  /// All pictures that are used have a number: as many bytes and the room may follow.
  mutating func settle() { most = 2 * bytes + room }
}
