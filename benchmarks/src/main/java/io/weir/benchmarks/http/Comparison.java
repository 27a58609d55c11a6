package io.weir.benchmarks.http;

import io.weir.benchmarks.Effort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One server with Weir and without, several times anew: what the compiler makes of a program
 * differs from process to process.
 *
 * <p>Confine to one thread.
 */
final class Comparison {
  private final Server server;
  private final Path directory;
  private final int processes;
  private final int pairs;
  private final Duration warmUp;
  private final Duration round;

  final Rounds oneByOne = new Rounds();
  final Rounds pipelined = new Rounds();
  final Rounds refused = new Rounds();

  Comparison(Server server, Path directory, Effort effort) {
    this.server = server;
    this.directory = directory;
    this.processes = effort.of(1, 1, 2);
    this.pairs = effort.of(1, 4, 5);
    this.warmUp = Duration.ofMillis(effort.of(50, 1_500, 3_500));
    this.round = Duration.ofMillis(effort.of(50, 500, 1_000));
  }

  void run() throws IOException {
    for (int i = 0; i < processes; i++) {
      try (Served plain = new Served(server, false, directory.resolve("plain"));
          Served limited = new Served(server, true, directory.resolve("weir"))) {
        plain.connect();
        limited.connect();
        measure(plain, limited);
        plain.check();
        limited.check();
      }
    }
  }

  private void measure(Served plain, Served limited) throws IOException {
    pair(Load.PIPELINED, warmUp, plain, limited, new Rounds());
    pair(Load.ONE_BY_ONE, warmUp, plain, limited, new Rounds());
    for (int i = 0; i < pairs; i++) {
      pair(Load.PIPELINED, round, plain, limited, pipelined);
      pair(Load.ONE_BY_ONE, round, plain, limited, oneByOne);
    }
    if (server == Server.TOMCAT) {
      refuse(plain, limited);
    }
  }

  /** Against what the same server needs to admit without Weir. */
  private void refuse(Served plain, Served limited) throws IOException {
    limited.spendLimit();
    limited.measure(Load.REFUSED, warmUp);
    for (int i = 0; i < pairs; i++) {
      refused.add(plain.measure(Load.PIPELINED, round), limited.measure(Load.REFUSED, round));
    }
  }

  private static void pair(Load load, Duration time, Served plain, Served limited, Rounds into)
      throws IOException {
    into.add(plain.measure(load, time), limited.measure(load, time));
  }
}
