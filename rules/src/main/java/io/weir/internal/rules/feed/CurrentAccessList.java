package io.weir.internal.rules.feed;

import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.rules.AccessListRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The rows of {@code access_list} in force, entries and bans apart. The application gets all
 * entries, or all bans, after each change.
 *
 * <p>Safe for concurrent use.
 */
public final class CurrentAccessList {
  private volatile RulebookContext application = RulebookContext.NONE;
  private volatile List<AccessListRow> rows = List.of();

  /** Guarded by this. */
  private Consumer<List<AccessEntry>> listener = entries -> {};

  /** Guarded by this. */
  private Consumer<List<AccessEntry>> banListener = bans -> {};

  /** Guarded by this. */
  private List<AccessEntry> bans = List.of();

  /** Bans that this node has written since the last report; guarded by this. */
  private final List<AccessEntry> written = new ArrayList<>();

  /** As {@link io.weir.spi.AccessListSource#follow}. */
  public synchronized void follow(Consumer<List<AccessEntry>> listener) {
    this.listener = listener;
    report();
  }

  /** As {@link io.weir.spi.AccessListSource#followBans}. */
  public synchronized void followBans(Consumer<List<AccessEntry>> listener) {
    this.banListener = listener;
    listener.accept(bans);
  }

  /** Returns the entries in force: one volatile read. */
  public List<AccessListRow> rows() {
    return rows;
  }

  public Optional<String> mistake(AccessSubject subject) {
    return application.mistake(subject);
  }

  /** Checks entries by the rules of another application from now on. */
  void application(RulebookContext context) {
    application = context;
  }

  synchronized void replace(List<AccessListRow> next) {
    rows = List.copyOf(next);
    report();
  }

  private void report() {
    listener.accept(rows.stream().map(AccessListRow::entry).toList());
  }

  /** Notes bans that this node has written, which somebody may lift before they are read. */
  public synchronized void written(List<AccessEntry> bans) {
    written.addAll(bans);
  }

  /** Returns whether the application waits for a report of bans that it made. */
  synchronized boolean isAwaited() {
    return !written.isEmpty();
  }

  /**
   * Puts other bans in force. The application keeps a ban of its own until it has seen it in a
   * list: so those that were lifted already are in one.
   */
  synchronized void replaceBans(Collection<AccessListRow> next) {
    bans = onePerCaller(next);
    Set<AccessSubject> held = bans.stream().map(AccessEntry::subject).collect(Collectors.toSet());
    written.removeIf(ban -> held.contains(ban.subject()));
    if (!written.isEmpty()) {
      written.addAll(bans);
      banListener.accept(List.copyOf(written));
      written.clear();
    }
    banListener.accept(bans);
  }

  /** Several policies may have banned a caller, some of them on trial. */
  private static List<AccessEntry> onePerCaller(Collection<AccessListRow> rows) {
    Map<AccessSubject, AccessEntry> bans = new LinkedHashMap<>();
    rows.forEach(
        row -> bans.merge(row.entry().subject(), row.entry(), CurrentAccessList::stronger));
    return List.copyOf(bans.values());
  }

  private static AccessEntry stronger(AccessEntry one, AccessEntry other) {
    if (one.isShadow() != other.isShadow()) {
      return one.isShadow() ? other : one;
    }
    return other.end().orElseThrow().isAfter(one.end().orElseThrow()) ? other : one;
  }
}
