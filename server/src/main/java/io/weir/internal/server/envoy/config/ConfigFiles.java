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

/**
 * Follows files and folders: what they say is in force within a poll, and what one of them says
 * wrongly is told once and leaves its last good version in force. A file that goes takes its domain
 * with it.
 *
 * <p>Files are compared by content, so that it works wherever a file can be read, also where a
 * folder is swapped behind a symbolic link.
 *
 * <p>A domain belongs to one file: to the one that has it already, else to the first by path.
 *
 * <p>Safe for concurrent use.
 */
public final class ConfigFiles {
  private static final System.Logger LOG = System.getLogger("io.weir");

  private final ConfigFolder folder;
  private final EnvoyPolicyFactory policies;
  private final ConfigReader reader;
  private final Map<Path, FollowedFile> files = new TreeMap<>();
  private volatile EnvoyConfig current = new EnvoyConfig(Map.of());

  private ConfigFiles(List<Path> paths, OnStoreFailure onStoreFailure) {
    this.folder = new ConfigFolder(paths);
    this.policies = new EnvoyPolicyFactory(onStoreFailure);
    this.reader = new ConfigReader(policies);
  }

  /**
   * Reads the files for the first time.
   *
   * @param paths files, and folders whose {@code .yaml} and {@code .yml} are read; those that are
   *     missing may come later
   * @param onStoreFailure what the limits do while the store is away
   * @return what they say
   * @throws ConfigException if a file is wrong, since there is no last good version of it
   */
  public static ConfigFiles open(List<Path> paths, OnStoreFailure onStoreFailure) {
    ConfigFiles opened = new ConfigFiles(paths, onStoreFailure);
    opened.refresh();
    List<String> problems = opened.problems();
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    if (opened.files.isEmpty()) {
      log(WARNING, "there are no rate limits of Envoy in " + paths + " yet");
    }
    return opened;
  }

  /**
   * What is in force.
   *
   * @return the domains
   */
  public EnvoyConfig current() {
    return current;
  }

  /**
   * What is wrong with files now.
   *
   * @return a message for each; empty if all of them are in force
   */
  public synchronized List<String> problems() {
    List<String> all = new ArrayList<>();
    for (FollowedFile file : files.values()) {
      file.problem().ifPresent(all::add);
    }
    return all;
  }

  /** Reads what has changed; fails never. */
  public synchronized void refresh() {
    boolean changed = false;
    try {
      Map<Path, Optional<byte[]>> found = folder.read();
      changed = files.keySet().retainAll(found.keySet());
      for (Map.Entry<Path, Optional<byte[]>> each : found.entrySet()) {
        changed |= read(each.getKey(), each.getValue());
      }
    } catch (IOException | RuntimeException failed) {
      log(ERROR, "rate limits of Envoy can't be read; what is in force stays: " + failed);
    }
    if (changed) {
      current = combine();
      log(INFO, "rate limits of Envoy are in force from " + files.size() + " files");
    }
  }

  private boolean read(Path path, Optional<byte[]> content) {
    FollowedFile file = files.computeIfAbsent(path, unknown -> new FollowedFile());
    if (content.isEmpty()) {
      file.isUnreadable();
      String problem = path + ": can't be read, or is larger than 16 MiB";
      tell(file.mistake(problem), problem);
      return false;
    }
    byte[] now = content.get();
    if (!file.isNew(now)) {
      return false;
    }
    try {
      file.reads(now, reader.read(path.toString(), text(path, now)));
      file.mistake(null);
    } catch (ConfigException wrong) {
      file.reads(now);
      String problem = String.valueOf(wrong.getMessage());
      tell(file.mistake(problem), problem);
    }
    return true;
  }

  private static String text(Path path, byte[] content) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException other) {
      throw new ConfigException(List.of(path + ": isn't UTF-8"));
    }
  }

  // Who has a domain goes before who wants it.
  private EnvoyConfig combine() {
    Map<String, Path> owners = new HashMap<>();
    Map<String, EnvoyDomain> domains = new HashMap<>();
    for (boolean keeping : List.of(true, false)) {
      for (Map.Entry<Path, FollowedFile> each : files.entrySet()) {
        if (each.getValue().keepsItsDomain() == keeping) {
          put(each.getKey(), each.getValue(), owners, domains);
        }
      }
    }
    return new EnvoyConfig(domains);
  }

  private void put(
      Path path, FollowedFile file, Map<String, Path> owners, Map<String, EnvoyDomain> domains) {
    Optional<DomainConfig> chosen = file.candidate();
    if (chosen.isPresent() && owners.containsKey(chosen.get().domain())) {
      String domain = chosen.get().domain();
      String problem =
          path + ": the domain " + domain + " is in " + owners.get(domain) + " already";
      tell(file.conflict(problem), problem);
      chosen = file.inForce().filter(last -> !owners.containsKey(last.domain()));
    } else {
      file.conflict(null);
    }
    chosen.ifPresent(
        config -> {
          file.putInForce(config);
          owners.put(config.domain(), path);
          domains.put(config.domain(), new EnvoyDomain(config, policies));
        });
  }

  private static void tell(boolean isNew, String problem) {
    if (isNew) {
      log(ERROR, problem + "; its last good version stays in force, if there was one");
    }
  }

  /** Goes on whatever the logger throws: what has been read isn't read again. */
  private static void log(System.Logger.Level level, String text) {
    try {
      LOG.log(level, text);
    } catch (RuntimeException | Error broken) {
      // There is nowhere left to report it.
    }
  }
}
