package io.weir.compat.cluster.node;

import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.example.jersey.ExampleOnPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The JVM of a node that has just started: it serves {@code /api/exact} at once, and says so by a
 * line with its port. To each line on its standard input it answers how many decisions it has made
 * and how many of them without the store; it ends with its input.
 */
public final class ColdNode {
  private static final String DONE = "done";

  private ColdNode() {}

  /**
   * Starts.
   *
   * @param args {@code jersey} or {@code servlet}, and settings, {@code name=value}
   */
  public static void main(String[] args) throws IOException {
    Tally tally = new Tally();
    Map<String, String> settings = new TreeMap<>();
    for (int i = 1; i < args.length; i++) {
      int equals = args[i].indexOf('=');
      settings.put(args[i].substring(0, equals), args[i].substring(equals + 1));
    }
    WeirBuilder parts = Weir.builder().settings(settings).metrics(tally);
    int port =
        args[0].equals("jersey") ? ExampleOnPort.start(parts) : Pages.start(parts.build()).port();
    System.out.println("port " + port);
    System.out.println(DONE);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (in.readLine() != null) {
      tally.lines().forEach(System.out::println);
      System.out.println(DONE);
    }
    Runtime.getRuntime().halt(0);
  }
}
