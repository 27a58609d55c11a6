package io.weir.internal.server.envoy.config;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known of one file: what it says now, and what of it is in force. Confine to a lock. */
final class FollowedFile {
  private byte @Nullable [] content;
  private @Nullable DomainConfig candidate;
  private @Nullable DomainConfig inForce;
  private @Nullable String mistake;
  private @Nullable String conflict;

  /** Whether the content is another than before. */
  boolean isNew(byte[] read) {
    return !Arrays.equals(content, read);
  }

  /** It says something correct now. */
  void reads(byte[] read, DomainConfig config) {
    content = read;
    candidate = config;
  }

  /** It says something wrong now; what was in force stays. */
  void reads(byte[] read) {
    content = read;
    candidate = inForce;
  }

  /** What should be in force; nothing if it was never correct. */
  Optional<DomainConfig> candidate() {
    return Optional.ofNullable(candidate);
  }

  Optional<DomainConfig> inForce() {
    return Optional.ofNullable(inForce);
  }

  /** Whether it goes on with the domain that it has had. */
  boolean keepsItsDomain() {
    return candidate != null && inForce != null && candidate.domain().equals(inForce.domain());
  }

  void putInForce(DomainConfig config) {
    inForce = config;
  }

  /** It couldn't be read; whatever is read next counts as new. */
  void isUnreadable() {
    content = null;
  }

  /**
   * Takes note of what is wrong with its content.
   *
   * @param text null if nothing is
   * @return whether that is new and has to be told
   */
  boolean mistake(@Nullable String text) {
    boolean isNew = text != null && !text.equals(mistake);
    mistake = text;
    return isNew;
  }

  /**
   * Takes note of another file that has its domain.
   *
   * @param text null if none has
   * @return whether that is new and has to be told
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
