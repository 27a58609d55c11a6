package io.weir.internal.ban;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds the bans that are in force on this node: those that it made, and those of the policy
 * source. A look-up is one in a hash map, by the text of the key, of which the policy has bans.
 *
 * <p>Safe for concurrent use.
 */
public final class BanList {
  private static final long SEARCH_PAUSE_NANOS = 1_000_000_000;

  private final Ticker ticker;
  private volatile int most;

  /** When room for another ban may be sought again; guarded by this. */
  private long nextSearch;

  /** By policy, and then by the text of the key. */
  private final Map<String, Map<String, Ban>> byPolicy = new ConcurrentHashMap<>();

  private final Map<String, Ban> ofApplication = of(AccessSubject.ANY_POLICY);

  /** The ends of bans that were lifted here, until the source has lifted them too. */
  private final Map<AccessSubject, Instant> lifted = new ConcurrentHashMap<>();

  /**
   * A ban.
   *
   * @param isKept whether the source has given it, so that its lists decide from now on
   */
  private record Ban(AccessEntry entry, boolean isKept) {}

  /**
   * Begins without bans.
   *
   * @param most the most bans of one policy, and of the whole application
   */
  public BanList(Ticker ticker, int most) {
    this.ticker = ticker;
    this.most = most;
    this.nextSearch = ticker.nanoTime();
  }

  /** Changes the most bans of one policy; those in force stay. */
  public void setMost(int number) {
    most = number;
  }

  private Map<String, Ban> of(String policy) {
    return byPolicy.computeIfAbsent(policy, any -> new ConcurrentHashMap<>());
  }

  private Map<String, Ban> of(AccessSubject subject) {
    return of(isOfPolicy(subject) ? subject.policy() : AccessSubject.ANY_POLICY);
  }

  private static boolean isOfPolicy(AccessSubject subject) {
    return subject.type() == AccessSubject.Type.POLICY;
  }

  private static String text(AccessSubject subject) {
    return isOfPolicy(subject) ? subject.value() : subject.toString();
  }

  /** Returns whether nobody is banned from the whole application. */
  public boolean isEmptyForApplication() {
    return ofApplication.isEmpty();
  }

  /** Finds the ban of a caller from the whole application that is in force. */
  public Optional<AccessEntry> ofApplication(Key key) {
    return active(ofApplication, key);
  }

  /** Finds the ban of a caller from a policy's endpoints that is in force. */
  public Optional<AccessEntry> ofPolicy(String policy, Key key) {
    Map<String, Ban> bans = byPolicy.get(policy);
    return bans == null ? Optional.empty() : active(bans, key);
  }

  private Optional<AccessEntry> active(Map<String, Ban> bans, Key key) {
    return bans.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(bans.get(KeyText.of(key))).map(Ban::entry).filter(this::isActive);
  }

  private boolean isActive(AccessEntry ban) {
    return ticker.instant().isBefore(end(ban));
  }

  private static Instant end(AccessEntry ban) {
    return ban.end().orElseThrow(); // each ban has one
  }

  /**
   * Adds a ban that this node has made. Of two for one subject the one that ends later stays, but
   * none in shadow mode in place of another.
   *
   * @return false if there is no room for it
   */
  synchronized boolean add(AccessEntry ban) {
    Map<String, Ban> others = of(ban.subject());
    String text = text(ban.subject());
    Ban known = others.get(text);
    if (known == null && others.size() >= most) {
      seekRoom();
      if (others.size() >= most) {
        return false;
      }
    }
    lifted.remove(ban.subject());
    others.put(text, known == null ? new Ban(ban, false) : stronger(known, ban, known.isKept));
    return true;
  }

  /** Looks at most once a second at all bans, since attackers must not choose how often. */
  private void seekRoom() {
    long now = ticker.nanoTime();
    if (now - nextSearch >= 0) {
      nextSearch = now + SEARCH_PAUSE_NANOS;
      removeEnded();
    }
  }

  private Ban stronger(Ban known, AccessEntry other, boolean isKept) {
    boolean stays =
        known.entry.isShadow() == other.isShadow()
            ? end(other).isBefore(end(known.entry))
            : other.isShadow() && isActive(known.entry);
    return new Ban(stays ? known.entry : other, isKept);
  }

  /**
   * Takes all bans that the source has now, as somebody may have changed them. Those that it had
   * before and doesn't have any more are lifted; those that only this node has made stay.
   */
  public synchronized void setKept(List<AccessEntry> all) {
    Set<AccessSubject> kept = new HashSet<>();
    for (AccessEntry each : all) {
      kept.add(each.subject());
      Map<String, Ban> others = of(each.subject());
      Ban known = others.get(text(each.subject()));
      Instant endOfLifted = lifted.get(each.subject());
      boolean isLifted = endOfLifted != null && !end(each).isAfter(endOfLifted);
      if (!isLifted && (known != null || others.size() < most)) {
        others.put(
            text(each.subject()),
            known == null || known.isKept ? new Ban(each, true) : stronger(known, each, true));
      }
    }
    lifted.keySet().retainAll(kept);
    byPolicy
        .values()
        .forEach(
            bans ->
                bans.values()
                    .removeIf(each -> each.isKept && !kept.contains(each.entry.subject())));
  }

  /** Lists the bans that are in force. */
  public List<AccessEntry> inForce() {
    List<AccessEntry> all = new ArrayList<>();
    byPolicy
        .values()
        .forEach(
            bans ->
                bans.values().stream().map(Ban::entry).filter(this::isActive).forEach(all::add));
    return List.copyOf(all);
  }

  /** Lifts a ban; returns false if there is none in force. */
  synchronized boolean lift(AccessSubject subject) {
    Ban gone = of(subject).remove(text(subject));
    if (gone == null || !isActive(gone.entry)) {
      return false;
    }
    if (gone.isKept) {
      lifted.put(subject, end(gone.entry));
    }
    return true;
  }

  /** Removes the bans that have ended. */
  public synchronized void removeEnded() {
    Instant now = ticker.instant();
    byPolicy
        .values()
        .forEach(bans -> bans.values().removeIf(each -> !now.isBefore(end(each.entry))));
    lifted.values().removeIf(end -> !now.isBefore(end));
  }
}
