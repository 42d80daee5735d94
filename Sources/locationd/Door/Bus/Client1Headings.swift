import LocationModel
import Platform

/// The rows of `org.locationd.Client1` that are of headings.
extension Client1 {
  static let headingMethods = [
    BusMethod("StartUpdatingHeading") { (client: ClientObject, call) throws(BusError) in
      client.isTurning = true
      client.ask(.startUpdatingHeading(client.headingWish), for: call)
      return nil
    },
    BusMethod("StopUpdatingHeading") { (client: ClientObject, call) throws(BusError) in
      client.isTurning = false
      client.ask(.stopUpdatingHeading, for: call)
      return nil
    },
  ]

  static let headingProperties = [
    BusProperty("Heading", "a{sv}", .untold) { (client: ClientObject) in
      client.heading?.busValue ?? .dictionary([:])
    },
    BusProperty(
      "HeadingFilter", "d",
      get: { (client: ClientObject) in .double(client.headingWish.headingFilter) },
      set: { (client, _, value) throws(BusError) in
        guard let degrees = value.asDouble, (0...360).contains(degrees) || degrees == -1 else {
          throw BusError(Refusal(.invalidParameters, "HeadingFilter is not a possible number."))
        }
        client.headingWish.headingFilter = degrees
        if client.isTurning { client.line.ask(.startUpdatingHeading(client.headingWish)) }
        client.changed(["HeadingFilter"])
      }),
  ]
}

extension Heading {
  var busValue: BusValue {
    var dictionary = BusDictionary()
    try? write(into: &dictionary)
    return dictionary.value
  }
}
