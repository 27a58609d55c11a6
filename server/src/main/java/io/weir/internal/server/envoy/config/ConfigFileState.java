package io.weir.internal.server.envoy.config;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of one file: its content now, and the version in force. Guard by a lock. */
final class ConfigFileState {
  private byte @Nullable [] content;
  private @Nullable DomainConfig candidate;
  private @Nullable DomainConfig inForce;
  private @Nullable String mistake;
  private @Nullable String conflict;

  /** Returns whether the content has changed. */
  boolean isNew(byte[] read) {
    return !Arrays.equals(content, read);
  }

  /** Notes that the file is valid now. */
  void accept(byte[] read, DomainConfig config) {
    content = read;
    candidate = config;
  }

  /** Notes that the file is invalid now; the version in force stays. */
  void reject(byte[] read) {
    content = read;
    candidate = inForce;
  }

  /** Returns the version that should be in force; empty if it was never valid. */
  Optional<DomainConfig> candidate() {
    return Optional.ofNullable(candidate);
  }

  Optional<DomainConfig> inForce() {
    return Optional.ofNullable(inForce);
  }

  /** Returns whether it still has the domain that is in force. */
  boolean keepsItsDomain() {
    return candidate != null && inForce != null && candidate.domain().equals(inForce.domain());
  }

  void putInForce(DomainConfig config) {
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
   * Notes a conflict with another file that has its domain.
   *
   * @param text null if there is none
   * @return whether it is new and must be logged
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
