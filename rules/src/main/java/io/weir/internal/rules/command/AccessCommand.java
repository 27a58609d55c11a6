package io.weir.internal.rules.command;

import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.rules.AccessListRepository;
import io.weir.rules.AccessListRow;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/**
 * Adds, lifts and lists entries of the access list, written as lines of {@code weir.access.file};
 * lifts and lists bans as well.
 */
final class AccessCommand {
  private final AccessListRepository entries;
  private final PrintStream out;

  AccessCommand(AccessListRepository entries, PrintStream out) {
    this.entries = entries;
    this.out = out;
  }

  /** Adds an entry, and writes it and what is wrong with it. */
  void add(AccessEntry entry, boolean isDry, String author) {
    AccessListRow row = AccessListRow.of(entry);
    entries.check(row).forEach(out::println);
    if (!isDry) {
      row = entries.save(row, author);
    }
    out.println("+ " + row.entry());
  }

  /** Deletes all entries of a subject in one transaction, and writes them. */
  void lift(AccessSubject subject, boolean isDry, String author) {
    List<AccessListRow> found = entries.of(subject);
    if (!isDry && !found.isEmpty()) {
      var unused = entries.change(List.of(), found, author);
    }
    found.forEach(row -> out.println("- " + row.entry()));
    if (found.isEmpty()) {
      out.println("no entry has the subject " + subject);
    }
  }

  /** Writes all entries that can be read, the newest first. */
  void list() {
    List<AccessListRow> page;
    long before = Long.MAX_VALUE;
    do {
      page = entries.list(Optional.empty(), before, AccessListRepository.MAX_ROWS);
      for (AccessListRow row : page) {
        out.println(row.entry());
        before = row.id();
      }
    } while (!page.isEmpty());
  }
}
