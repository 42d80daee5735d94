/// The version of all programs of the house: they are built and installed together.
package let version = "0.1.0"
