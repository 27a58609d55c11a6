package io.weir.internal.server.envoy.config;

import static java.util.stream.Collectors.toSet;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of one file: its content now, and the version in force. Guard by a lock. */
final class ConfigFileState {
  private byte @Nullable [] content;
  private @Nullable FileConfig candidate;
  private @Nullable FileConfig inForce;
  private @Nullable String mistake;
  private @Nullable String conflict;

  boolean isNew(byte[] read) {
    return !Arrays.equals(content, read);
  }

  void accept(byte[] read, FileConfig config) {
    content = read;
    candidate = config;
  }

  /** Notes that the file is invalid now; the version in force stays. */
  void reject(byte[] read) {
    content = read;
    candidate = inForce;
  }

  /** Returns the version that should be in force; empty if it was never valid. */
  Optional<FileConfig> candidate() {
    return Optional.ofNullable(candidate);
  }

  Optional<FileConfig> inForce() {
    return Optional.ofNullable(inForce);
  }

  /** Returns the descriptors that it should have in force, and has in force already. */
  List<DomainDescriptor> kept() {
    if (candidate == null || inForce == null) {
      return List.of();
    }
    Set<List<String>> before =
        inForce.descriptors().stream().map(DomainDescriptor::identity).collect(toSet());
    return candidate.descriptors().stream()
        .filter(each -> before.contains(each.identity()))
        .toList();
  }

  void putInForce(FileConfig config) {
    inForce = config;
  }

  /** Notes that it couldn't be read; the next content counts as changed. */
  void markUnreadable() {
    content = null;
  }

  /**
   * Notes a mistake in its content.
   *
   * @param text null if there is none
   * @return whether it is new and must be logged
   */
  boolean mistake(@Nullable String text) {
    boolean isNew = text != null && !text.equals(mistake);
    mistake = text;
    return isNew;
  }

  /**
   * Notes a conflict with another file that has its domain, as {@link #mistake} notes a mistake.
   */
  boolean conflict(@Nullable String text) {
    boolean isNew = text != null && !text.equals(conflict);
    conflict = text;
    return isNew;
  }

  Optional<String> problem() {
    return Optional.ofNullable(mistake == null ? conflict : mistake);
  }
}
