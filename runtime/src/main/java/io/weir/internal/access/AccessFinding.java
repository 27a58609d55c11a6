package io.weir.internal.access;

import io.weir.access.AccessAction;
import io.weir.access.AccessEntry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds the entries of an access list that were found for one request so far. Immutable.
 *
 * <p>An entry that denies overrules all that allow; of several that allow, the first found counts:
 * that of the address, the key, a resolver's value, the user.
 */
public final class AccessFinding {
  /** Nothing yet: no subject was looked up. */
  public static final AccessFinding UNREAD = new AccessFinding(null, null, null, true, true);

  /** No entry is about the request. */
  public static final AccessFinding NOTHING = new AccessFinding(null, null, null, false, false);

  private static final AccessFinding WAITING = new AccessFinding(null, null, null, false, true);

  private final @Nullable AccessEntry entry;
  private final @Nullable AccessEntry shadow;
  private final @Nullable AccessEntry ban;
  private final boolean isUnread;
  private final boolean waits;

  private AccessFinding(
      @Nullable AccessEntry entry,
      @Nullable AccessEntry shadow,
      @Nullable AccessEntry ban,
      boolean isUnread,
      boolean waits) {
    this.entry = entry;
    this.shadow = shadow;
    this.ban = ban;
    this.isUnread = isUnread;
    this.waits = waits;
  }

  static AccessFinding of(
      @Nullable AccessEntry entry, @Nullable AccessEntry shadow, boolean waits) {
    if (entry == null && shadow == null) { // the usual case, without an object
      return waits ? WAITING : NOTHING;
    }
    return new AccessFinding(entry, shadow, null, false, waits);
  }

  /** Returns whether the address still has to be looked up. */
  boolean isUnread() {
    return isUnread;
  }

  /** Returns whether keys and values still have to be looked up, since they depend on the user. */
  boolean waits() {
    return waits;
  }

  /**
   * Returns what is known of a request that is at another endpoint, where keys and values may be
   * others: those of a path are known to the resource alone.
   *
   * @return the same, but keys and values have to be looked up
   */
  public AccessFinding elsewhere() {
    return waits ? this : of(entry, shadow, true);
  }

  /**
   * Returns what is known of a request whose caller is banned from the whole application; the same
   * if an entry decides about it, which overrules the ban.
   */
  public AccessFinding bannedBy(AccessEntry found) {
    return entry == null ? new AccessFinding(null, shadow, found, isUnread, waits) : this;
  }

  /** Returns the ban from the whole application, which may be in shadow mode. */
  public Optional<AccessEntry> ban() {
    return Optional.ofNullable(ban);
  }

  /** Returns whether the request is refused until the end of a ban. */
  public boolean bans() {
    return ban != null && !ban.isShadow();
  }

  /** Returns whether a ban in shadow mode would refuse the request. */
  public boolean wouldBan() {
    return ban != null && ban.isShadow();
  }

  /** Returns the entry that decides, or the ban that does. */
  public Optional<AccessEntry> decisive() {
    return bans() ? ban() : entry();
  }

  /** Returns the entry that denies or allows; empty if there is none so far. */
  public Optional<AccessEntry> entry() {
    return Optional.ofNullable(entry);
  }

  /** Returns the entry that would decide if it weren't in shadow mode; empty if there is none. */
  public Optional<AccessEntry> shadow() {
    return Optional.ofNullable(shadow);
  }

  public boolean denies() {
    return entry != null && entry.action() == AccessAction.DENY;
  }

  /** Returns whether no policy refuses the request; false as well if it is denied. */
  public boolean allows() {
    return entry != null && entry.action() == AccessAction.ALLOW;
  }

  /**
   * Returns whether no policy is needed: the request is denied, its caller is banned, or it is let
   * through without being counted.
   */
  public boolean overrides() {
    return denies() || bans() || allows() && !isMeasuredOnly();
  }

  /** Returns whether policies count the request, without refusing it. */
  public boolean isMeasuredOnly() {
    return allows() && entry != null && entry.isCounted();
  }

  /**
   * Returns whether an entry in shadow mode would deny the request; false if it is denied anyway.
   */
  public boolean wouldDeny() {
    return shadow != null && shadow.action() == AccessAction.DENY && !denies();
  }

  /** Returns whether an entry in shadow mode would let the request through. */
  boolean wouldAllow() {
    return shadow != null && shadow.action() == AccessAction.ALLOW && entry == null;
  }
}
