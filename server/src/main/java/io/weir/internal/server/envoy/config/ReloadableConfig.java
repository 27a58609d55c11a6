package io.weir.internal.server.envoy.config;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.weir.annotation.OnStoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Follows files and folders: changes are in force within a poll; a mistake is logged once and
 * leaves the last valid version of its file in force. When a file is removed, so is what it had of
 * its domains.
 *
 * <p>Files are compared by content, so that it works on every file system, and for a folder that is
 * swapped behind a symbolic link.
 *
 * <p>A domain may be in several files. An outermost descriptor of it belongs to one file: to the
 * one that has it already, else to the first by path.
 *
 * <p>Safe for concurrent use.
 */
public final class ReloadableConfig {
  private static final System.Logger LOG = System.getLogger("io.weir");

  private final ConfigFileReader folder;
  private final EnvoyPolicyFactory policies;
  private final ConfigParser reader;
  private final Map<Path, ConfigFileState> files = new TreeMap<>();
  private volatile EnvoyConfig current = EnvoyConfig.NONE;

  private ReloadableConfig(List<Path> paths, OnStoreFailure onStoreFailure) {
    this.folder = new ConfigFileReader(paths);
    this.policies = new EnvoyPolicyFactory(onStoreFailure);
    this.reader = new ConfigParser(policies);
  }

  /**
   * Reads the files for the first time.
   *
   * @param paths files, and folders whose {@code .yaml} and {@code .yml} are read; missing ones may
   *     appear later
   * @throws ConfigException if a file is invalid, since it has no last valid version
   */
  public static ReloadableConfig open(List<Path> paths, OnStoreFailure onStoreFailure) {
    ReloadableConfig opened = new ReloadableConfig(paths, onStoreFailure);
    opened.refresh();
    List<String> problems = opened.problems();
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    if (opened.files.isEmpty()) {
      log(WARNING, "no configuration of Envoy's rate limits found yet in " + paths);
    }
    return opened;
  }

  public EnvoyConfig current() {
    return current;
  }

  /** Returns a message for each file that is invalid now; empty if all of them are in force. */
  public synchronized List<String> problems() {
    List<String> all = new ArrayList<>();
    for (ConfigFileState file : files.values()) {
      file.problem().ifPresent(all::add);
    }
    return all;
  }

  /** Reads changed files; never throws. */
  public synchronized void refresh() {
    boolean changed = false;
    try {
      Map<Path, Optional<byte[]>> found = folder.read();
      changed = files.keySet().retainAll(found.keySet());
      for (Map.Entry<Path, Optional<byte[]>> each : found.entrySet()) {
        changed |= read(each.getKey(), each.getValue());
      }
    } catch (IOException | RuntimeException failed) {
      log(ERROR, "Envoy's rate limits can't be read, so the previous ones still apply: " + failed);
    }
    if (changed) {
      current = combine();
      log(
          INFO,
          "loaded Envoy's rate limits from "
              + files.size()
              + (files.size() == 1 ? " file" : " files"));
    }
  }

  private boolean read(Path path, Optional<byte[]> content) {
    ConfigFileState file = files.computeIfAbsent(path, unknown -> new ConfigFileState());
    if (content.isEmpty()) {
      file.markUnreadable();
      String problem = path + ": can't be read, or is larger than 16 MiB";
      logOnce(file.mistake(problem), problem);
      return false;
    }
    byte[] now = content.get();
    if (!file.isNew(now)) {
      return false;
    }
    try {
      file.accept(now, reader.read(path.toString(), text(path, now)));
      file.mistake(null);
    } catch (ConfigException wrong) {
      file.reject(now);
      String problem = String.valueOf(wrong.getMessage());
      logOnce(file.mistake(problem), problem);
    }
    return true;
  }

  private static String text(Path path, byte[] content) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException other) {
      throw new ConfigException(List.of(path + ": must be UTF-8"));
    }
  }

  /** Puts all files in force together, but for descriptors that another file has. */
  private EnvoyConfig combine() {
    Map<List<String>, Path> owners = new HashMap<>();
    files.forEach((path, file) -> file.kept().forEach(each -> owners.put(each.identity(), path)));
    List<FileConfig> chosen = new ArrayList<>();
    files.forEach((path, file) -> choose(path, file, owners).ifPresent(chosen::add));
    return EnvoyConfig.of(chosen, policies);
  }

  private static Optional<FileConfig> choose(
      Path path, ConfigFileState file, Map<List<String>, Path> owners) {
    Predicate<DomainDescriptor> isOthers =
        each -> !owners.getOrDefault(each.identity(), path).equals(path);
    Optional<FileConfig> chosen = file.candidate();
    Optional<DomainDescriptor> taken =
        chosen.flatMap(config -> config.descriptors().stream().filter(isOthers).findFirst());
    if (taken.isPresent()) {
      DomainDescriptor first = taken.get();
      String problem =
          path + ": " + first.describe() + " is already in " + owners.get(first.identity());
      logOnce(file.conflict(problem), problem);
      chosen = file.inForce().map(last -> last.without(isOthers));
    } else {
      file.conflict(null);
    }
    chosen.ifPresent(
        config -> {
          file.putInForce(config);
          config.descriptors().forEach(each -> owners.put(each.identity(), path));
        });
    return chosen;
  }

  private static void logOnce(boolean isNew, String problem) {
    if (isNew) {
      log(ERROR, problem + "; its last valid version, if any, still applies");
    }
  }

  /** Ignores exceptions of the logger, because files that were read aren't read again. */
  private static void log(System.Logger.Level level, String text) {
    try {
      LOG.log(level, text);
    } catch (RuntimeException | Error broken) {
      // There is nowhere left to report it.
    }
  }
}
