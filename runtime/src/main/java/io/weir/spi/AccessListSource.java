package io.weir.spi;

import io.weir.access.AccessEntry;
import java.util.List;
import java.util.function.Consumer;

/**
 * Brings entries for the application's access list, beside those of settings and file: from a
 * database, for example.
 *
 * <p>It gives its whole list to a listener, at once if it has it and after each change. Until then
 * it has no entries. Entries that are refused, since they cover a trusted proxy, say, are logged,
 * and the others hold.
 *
 * <p>Safe for concurrent use. Part of a {@link PolicySource}.
 */
@FunctionalInterface
public interface AccessListSource {
  /**
   * Registers the listener. Called once, before {@link PolicySource#start}.
   *
   * @param listener takes all entries that the source has, in any thread; it replaces those of the
   *     call before, and returns when they are in force
   */
  void follow(Consumer<List<AccessEntry>> listener);
}
