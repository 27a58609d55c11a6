package io.weir.spi;

import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
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

  /**
   * Returns whether the source keeps bans, so that a ban that one node makes is in force on all.
   * Asked at the start, for the log, and with each ban.
   *
   * @return false unless overridden: then bans hold on the node that made them
   */
  default boolean keepsBans() {
    return false;
  }

  /**
   * Registers the listener for bans, which aren't among the entries that {@link #follow} gives.
   * Called once, before {@link PolicySource#start}. Does nothing unless overridden.
   *
   * <p>A ban that this node made is in force here at once. From the first list with its subject on,
   * the lists decide: one without it lifts the ban. So a source gives a ban that it was handed at
   * least once after it has written it.
   *
   * @param listener takes all bans that the source has, in any thread; it replaces those of the
   *     call before, and returns when they are in force
   */
  default void followBans(Consumer<List<AccessEntry>> listener) {}

  /**
   * Takes a ban that this node has made, or made longer, to write it with its next batch. Returns
   * at once and doesn't fail. Does nothing unless overridden.
   *
   * @param ban the ban; of several for one subject the latest end holds
   * @param policy the name of the policy that made it, which the subject of a ban for the whole
   *     application doesn't have
   */
  default void ban(AccessEntry ban, String policy) {}

  /**
   * Takes the subject of a ban that was lifted on this node, to lift it on all with its next batch.
   * Returns at once and doesn't fail. Does nothing unless overridden.
   *
   * @param subject the subject of the ban
   */
  default void lift(AccessSubject subject) {}
}
