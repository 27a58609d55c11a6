package io.weir.compat.cassandra.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.service.StorageService;

/**
 * One node of Cassandra that obeys the process which started it and ends with it.
 *
 * <p>It reads a command from each line of the standard input and answers each by a line that begins
 * with {@link #REPLY}; the first such line says that it listens. At the end of the input it removes
 * its files and halts, since no other process does any more.
 */
public final class Node {
  /** The beginning of a reply. */
  public static final String REPLY = "weir: ";

  private final PrintStream out;
  private final Cut cut;

  private Node(PrintStream out, Cut cut) {
    this.out = out;
    this.cut = cut;
  }

  /**
   * Starts Cassandra as its own main method would, and obeys.
   *
   * @param args none
   */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    try {
      new CassandraDaemon(true).activate();
    } catch (RuntimeException | Error failed) {
      failed.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
    new Node(out, Cut.install()).obey();
    removeFiles(Path.of(System.getProperty("cassandra.storagedir")));
    Runtime.getRuntime().halt(0);
  }

  private void obey() {
    reply("listening");
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        reply(answer(line.trim().split(" ", -1)));
      }
    } catch (IOException gone) {
      // the process that started it has ended
    }
  }

  private static void removeFiles(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException | UncheckedIOException e) {
      // it goes on writing until it halts
    }
  }

  private void reply(String text) {
    out.println(REPLY + text);
  }

  private String answer(String[] words) {
    try {
      switch (words[0]) {
        case "cut":
          cut.from(Arrays.stream(words).skip(1).collect(Collectors.toSet()));
          return "done";
        case "live":
          return live().sorted().collect(Collectors.joining(" "));
        case "schema":
          return "" + Schema.instance.getVersion();
        case "flush":
          StorageService.instance.forceKeyspaceFlush(
              words[1], ColumnFamilyStore.FlushReason.UNIT_TESTS);
          return "done";
        case "partitions":
          return "" + table(words[1], words[2]).metric.estimatedPartitionCount.getValue();
        case "compact":
          StorageService.instance.forceKeyspaceCompaction(false, words[1]);
          return "done";
        default:
          return "failed: no such command: " + words[0];
      }
    } catch (Exception e) {
      return "failed: " + e;
    }
  }

  private static ColumnFamilyStore table(String keyspace, String name) {
    return Keyspace.open(keyspace).getColumnFamilyStore(name);
  }

  /** Returns the addresses of the nodes that this one believes to be up, itself among them. */
  private static Stream<String> live() {
    Set<InetAddressAndPort> all = Gossiper.instance.getLiveMembers();
    return all.stream().map(each -> each.getAddress().getHostAddress());
  }
}
