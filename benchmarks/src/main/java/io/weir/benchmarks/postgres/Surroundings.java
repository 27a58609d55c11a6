package io.weir.benchmarks.postgres;

import java.time.Duration;

/** The durability of a database and its distance. */
enum Surroundings {
  /** No commit waits for the disk, as Weir has it unless another durability is set. */
  ASYNCHRONOUS("postgres", false, Duration.ZERO),
  /** Each commit waits for the disk. */
  SYNCHRONOUS("postgres.synchronous", true, Duration.ZERO),
  /** A round trip through the network takes a millisecond more than on one machine. */
  DISTANT("postgres.1ms", false, Duration.ofMillis(1));

  private final String figures;
  private final boolean waitsForDisk;
  private final Duration roundTrip;

  Surroundings(String figures, boolean waitsForDisk, Duration roundTrip) {
    this.figures = figures;
    this.waitsForDisk = waitsForDisk;
    this.roundTrip = roundTrip;
  }

  /** Returns the beginning of the names of figures. */
  String figures() {
    return figures;
  }

  /** Returns the value of the server's {@code synchronous_commit}. */
  String synchronousCommit() {
    return waitsForDisk ? "on" : "off";
  }

  /** Returns the value of Weir's setting. */
  String durability() {
    return waitsForDisk ? "synchronous" : "asynchronous";
  }

  /** Returns the time that the network adds to a round trip. */
  Duration roundTrip() {
    return roundTrip;
  }
}
