package io.weir.benchmarks.startup;

import io.weir.benchmarks.Child;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * One start of the application in a JVM of its own.
 *
 * @param millis from before the JVM is started until the first response has been read
 * @param cpuMillis what the JVM has used of the processors by then
 */
record Start(double millis, double cpuMillis) {
  private static final String REQUEST =
      "GET /r0/hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

  /**
   * Starts it once.
   *
   * @param libraries the class path, without the made classes
   */
  static Start of(boolean limited, String libraries, int classes, Path made, Path scratch)
      throws IOException {
    String path = libraries + File.pathSeparator + made;
    String how = limited ? "with" : "without";
    String count = String.valueOf(classes);
    long from = System.nanoTime();
    try (Child child =
        Child.start(List.of(), path, Application.class, how, count, scratch.toString())) {
      String response = get(Integer.parseInt(child.hear()));
      double millis = (System.nanoTime() - from) / 1e6;
      Start start = new Start(millis, cpu(child));
      check(limited, classes, response, Files.readString(scratch.resolve("log")));
      return start;
    }
  }

  private static String get(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static double cpu(Child child) {
    return ProcessHandle.of(child.pid())
        .flatMap(each -> each.info().totalCpuDuration())
        .map(Duration::toMillis)
        .orElse(0L);
  }

  /** A start that leaves something out is a fast one. */
  private static void check(boolean limited, int classes, String response, String log) {
    String last = "R" + (classes - 1) + "#login";
    boolean all = response.contains("RateLimit:") && log.contains(last);
    boolean none = !response.contains("RateLimit") && !log.contains(last);
    if (!response.startsWith("HTTP/1.1 200 ") || !(limited ? all : none)) {
      throw new IllegalStateException("not the application that was meant: " + response + log);
    }
  }
}
