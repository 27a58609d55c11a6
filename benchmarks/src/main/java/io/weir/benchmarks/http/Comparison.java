package io.weir.benchmarks.http;

import io.weir.benchmarks.Effort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One server under each load in turns, several times anew: what the compiler makes of a program
 * differs from process to process. All loads of a process meet the same program.
 *
 * <p>Confine to one thread.
 */
final class Comparison {
  /** For the warm-up only: hardly any system calls, so that it is soon done. */
  private static final int MANY = 16;

  private final Server server;
  private final Path directory;
  private final Effort effort;

  private final Measured measured = new Measured();
  private boolean warm = true;

  Comparison(Server server, Path directory, Effort effort) {
    this.server = server;
    this.directory = directory;
    this.effort = effort;
  }

  /** Returns whether each process was as fast as it gets when it was measured. */
  boolean isWarm() {
    return warm;
  }

  Measured run() throws IOException {
    int processes = effort.of(1, 1, 5);
    for (int i = 0; i < processes; i++) {
      try (ServedProcess served = new ServedProcess(server, directory.resolve("server" + i))) {
        warm &=
            new WarmUp(effort.of(200, 20_000, 40_000), effort.of(1, 3, 7), effort.of(1, 5, 30))
                .run(served, MANY);
        new WarmUp(effort.of(100, 5_000, 10_000), effort.of(1, 1, 3), effort.of(1, 1, 6))
            .run(served, 1);
        measured.add(rounds(served));
        served.check();
      }
    }
    return measured;
  }

  /** One request after the other on each connection, as clients send them. */
  private Map<HttpLoad, List<Round>> rounds(ServedProcess served) throws IOException {
    int requests = effort.of(100, 4_000, 8_000);
    int rounds = effort.of(1, 9, 25);
    List<HttpLoad> order = new ArrayList<>(List.of(HttpLoad.values()));
    Map<HttpLoad, List<Round>> all = new EnumMap<>(HttpLoad.class);
    for (int i = 0; i < rounds; i++) {
      for (HttpLoad load : order) {
        all.computeIfAbsent(load, any -> new ArrayList<>()).add(served.measure(load, 1, requests));
      }
      Collections.rotate(order, 1); // so that none is always the one after the same other
    }
    return all;
  }
}
