package io.weir.compat.cassandra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The directory of one node: its configuration, its data and its log. */
final class NodeFiles {
  private final Path directory;

  NodeFiles(Place place, CassandraConfig config) {
    try {
      directory = Files.createTempDirectory("weir-cassandra");
      Files.write(directory.resolve("cassandra.yaml"), yaml(place, config));
      Files.write(
          directory.resolve("rackdc.properties"),
          List.of("dc=" + place.dataCentre(), "rack=rack1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> yaml(Place place, CassandraConfig config) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("cluster_name", "weir");
    lines.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    lines.put("endpoint_snitch", "GossipingPropertyFileSnitch");
    lines.put("listen_address", place.address());
    lines.put("storage_port", "" + place.internodePort());
    lines.put("rpc_address", place.address());
    lines.put("native_transport_port", "" + place.port());
    lines.put("seed_provider", seeds(place));
    lines.put("num_tokens", "1");
    lines.put("initial_token", place.token());
    lines.put("auto_bootstrap", "false");
    lines.put("auto_snapshot", "false");
    lines.put("commitlog_sync", "periodic");
    lines.put("commitlog_sync_period", "10s");
    lines.put("commitlog_segment_size", "4MiB");
    lines.put("commitlog_total_space", "64MiB");
    lines.put("memtable_heap_space", "48MiB");
    lines.put("memtable_offheap_space", "32MiB");
    lines.put("file_cache_size", "32MiB");
    lines.put("key_cache_size", "4MiB");
    lines.put("concurrent_reads", "8");
    lines.put("concurrent_writes", "8");
    lines.put("hints_flush_period", "1s");
    lines.putAll(config.lines());
    return lines.entrySet().stream().map(each -> each.getKey() + ": " + each.getValue()).toList();
  }

  private static String seeds(Place place) {
    String addresses =
        place.seeds().stream()
            .map(each -> each + ":" + place.internodePort())
            .collect(Collectors.joining(","));
    return "[{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: \""
        + addresses
        + "\"}]}]";
  }

  Path directory() {
    return directory;
  }

  Path output() {
    return directory.resolve("output.log");
  }

  /** Returns the end of what it has logged. */
  String log() {
    return Stream.of(output(), directory.resolve("cassandra.log"))
        .filter(Files::exists)
        .map(NodeFiles::end)
        .collect(Collectors.joining("\n"));
  }

  private static String end(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  void delete() {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
