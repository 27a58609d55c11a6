package io.weir.internal.rules.feed;

import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.rules.AccessListRow;
import io.weir.spi.AccessListSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The rows of {@code access_list} in force. The application gets all of their entries after each
 * change.
 *
 * <p>Safe for concurrent use.
 */
public final class CurrentAccessList implements AccessListSource {
  private volatile RulebookContext application = RulebookContext.NONE;
  private volatile List<AccessListRow> rows = List.of();

  /** Guarded by this. */
  private Consumer<List<AccessEntry>> listener = entries -> {};

  @Override
  public synchronized void follow(Consumer<List<AccessEntry>> listener) {
    this.listener = listener;
    report();
  }

  /** Returns the rows in force: one volatile read. */
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
}
