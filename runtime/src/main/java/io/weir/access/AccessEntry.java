package io.weir.access;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Describes an entry of an access list: the callers that it is about, and how their requests are
 * treated.
 *
 * <p>Immutable: methods that change something return another entry.
 */
public final class AccessEntry {
  /** The longest reason, in characters. */
  private static final int MAX_REASON = 500;

  private static final String BAN = "ban";
  private static final String UNTIL = "until=";
  private static final String REASON = "reason=";

  private final AccessAction action;
  private final AccessSubject subject;
  private final String reason;
  private final @Nullable Instant end;
  private final boolean isCounted;
  private final boolean isShadow;

  private AccessEntry(
      AccessAction action,
      AccessSubject subject,
      String reason,
      @Nullable Instant end,
      boolean isCounted,
      boolean isShadow) {
    this.action = action;
    this.subject = subject;
    this.reason = reason;
    this.end = end;
    this.isCounted = isCounted;
    this.isShadow = isShadow;
  }

  /**
   * Returns an entry that denies callers: their requests are answered with 403.
   *
   * @param subject the callers
   * @return an entry in force, without a reason and an end
   * @throws IllegalArgumentException if it is a {@linkplain AccessSubject.Type#POLICY policy's}
   *     key; the message is the rule that it breaks
   */
  public static AccessEntry deny(AccessSubject subject) {
    requireNoPolicy(subject);
    return new AccessEntry(AccessAction.DENY, subject, "", null, false, false);
  }

  /**
   * Returns an entry that lets callers through: what is decided after the caller is known doesn't
   * refuse them. Unless it is {@linkplain #counted() counted}, their requests take no permits.
   *
   * @param subject the callers
   * @return an entry in force, without a reason and an end
   * @throws IllegalArgumentException if it is a {@linkplain AccessSubject.Type#POLICY policy's}
   *     key; the message is the rule that it breaks
   */
  public static AccessEntry allow(AccessSubject subject) {
    requireNoPolicy(subject);
    return new AccessEntry(AccessAction.ALLOW, subject, "", null, false, false);
  }

  private static void requireNoPolicy(AccessSubject subject) {
    if (subject.type() == AccessSubject.Type.POLICY) {
      throw new IllegalArgumentException("must not be of one policy, as only bans are");
    }
  }

  /**
   * Returns a ban: the requests of a caller are answered with 429 until its end. An entry that
   * denies or allows the caller overrules it. Only Weir makes bans, and no text is one.
   *
   * @param subject an address or a user, for the whole application, or a policy's key
   * @param end the end
   * @return an entry in force, without a reason
   * @throws IllegalArgumentException if the subject is a key or a value alone; the message is the
   *     rule that it breaks
   */
  public static AccessEntry ban(AccessSubject subject, Instant end) {
    switch (subject.type()) {
      case ADDRESS, USER, POLICY -> {
        return new AccessEntry(AccessAction.BAN, subject, "", end, false, false);
      }
      default ->
          throw new IllegalArgumentException(
              "a ban must be of an address, a user or a policy's key");
    }
  }

  /**
   * Reads a line of {@code weir.access.file}: {@code deny} or {@code allow}, the text of a {@link
   * AccessSubject}, in quotation marks if it has blanks, and then any of {@code counted}, {@code
   * shadow}, {@code until=2027-01-01T00:00:00Z} and at the end {@code reason=} with the rest of the
   * line. Without an action it denies. A word that begins with {@code #} or {@code ;} begins a
   * comment.
   *
   * @param line a line with an entry
   * @return the entry
   * @throws IllegalArgumentException if it is invalid; the message is the rule that it breaks
   */
  public static AccessEntry parse(String line) {
    AccessLine words = new AccessLine(line);
    String first = words.word();
    if (first.equals(BAN)) {
      throw new IllegalArgumentException("must deny or allow: bans are made by Weir");
    }
    boolean allows = first.equals("allow");
    AccessSubject subject =
        AccessSubject.parse(allows || first.equals("deny") ? words.word() : first);
    AccessEntry entry = allows ? allow(subject) : deny(subject);
    for (String word = words.word(); !word.isEmpty(); word = words.word()) {
      entry = entry.with(word, words);
    }
    return entry;
  }

  private AccessEntry with(String word, AccessLine words) {
    if (word.startsWith(REASON)) {
      return withReason(words.rest(word.length() - REASON.length()));
    }
    if (word.startsWith(UNTIL)) {
      return until(time(word.substring(UNTIL.length())));
    }
    return switch (word) {
      case "counted" -> counted();
      case "shadow" -> inShadow();
      default ->
          throw new IllegalArgumentException(
              "must have only counted, shadow, until= and reason= after the subject, but has '"
                  + word
                  + "'");
    };
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException malformed) {
      throw new IllegalArgumentException(
          "until= must be followed by a time such as 2027-01-01T00:00:00Z", malformed);
    }
  }

  /**
   * Returns this entry with a reason, which operators read; callers never get it.
   *
   * @param text at most 500 characters; empty if there is none
   * @return the entry
   * @throws IllegalArgumentException if it is too long or has control characters; the message is
   *     the rule that it breaks
   */
  public AccessEntry withReason(String text) {
    if (text.length() > MAX_REASON || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "the reason must have at most " + MAX_REASON + " characters, and no control characters");
    }
    return new AccessEntry(action, subject, text.strip(), end, isCounted, isShadow);
  }

  /**
   * Returns this entry with an end, from which on it has no effect.
   *
   * @param time the end; may be in the past
   * @return the entry
   */
  public AccessEntry until(Instant time) {
    return new AccessEntry(action, subject, reason, time, isCounted, isShadow);
  }

  /**
   * Returns this entry so that the policies count the requests of its callers, without refusing
   * them.
   *
   * @return the entry
   * @throws IllegalArgumentException if it denies or bans; the message is the rule that it breaks
   */
  public AccessEntry counted() {
    if (action != AccessAction.ALLOW) {
      throw new IllegalArgumentException(
          "an entry that denies must not be counted, since a denied request takes no permits");
    }
    return new AccessEntry(action, subject, reason, end, true, isShadow);
  }

  /**
   * Returns this entry in shadow mode: measured and logged, without effect.
   *
   * @return the entry
   */
  public AccessEntry inShadow() {
    return new AccessEntry(action, subject, reason, end, isCounted, true);
  }

  /**
   * Returns how the requests are treated.
   *
   * @return the action
   */
  public AccessAction action() {
    return action;
  }

  /**
   * Returns the callers that the entry is about.
   *
   * @return the subject
   */
  public AccessSubject subject() {
    return subject;
  }

  /**
   * Returns the reason, for operators alone.
   *
   * @return empty if there is none
   */
  public String reason() {
    return reason;
  }

  /**
   * Returns the end, from which on the entry has no effect.
   *
   * @return empty if it has no end; a ban has one
   */
  public Optional<Instant> end() {
    return Optional.ofNullable(end);
  }

  /**
   * Returns whether the policies count the requests of callers that it lets through.
   *
   * @return false if it denies or bans
   */
  public boolean isCounted() {
    return isCounted;
  }

  /**
   * Returns whether it is in shadow mode.
   *
   * @return true if it is measured and logged, without effect
   */
  public boolean isShadow() {
    return isShadow;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AccessEntry that
        && action == that.action
        && subject.equals(that.subject)
        && reason.equals(that.reason)
        && Objects.equals(end, that.end)
        && isCounted == that.isCounted
        && isShadow == that.isShadow;
  }

  @Override
  public int hashCode() {
    return Objects.hash(action, subject, reason, end, isCounted, isShadow);
  }

  /** Returns the line that {@link #parse} reads, unless it is a ban. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        switch (action) {
          case DENY -> "deny ";
          case ALLOW -> "allow ";
          case BAN -> BAN + " ";
        });
    text.append(AccessLine.written(subject.toString()));
    if (isCounted) {
      text.append(" counted");
    }
    if (isShadow) {
      text.append(" shadow");
    }
    if (end != null) {
      text.append(' ').append(UNTIL).append(end);
    }
    if (!reason.isEmpty()) {
      text.append(' ').append(REASON).append(reason);
    }
    return text.toString();
  }
}
