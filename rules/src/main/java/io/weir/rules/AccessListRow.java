package io.weir.rules;

import io.weir.access.AccessEntry;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Holds an entry of the access list: a row of {@code access_list}. Bans are written by nodes, and
 * can only be deleted.
 *
 * <p>Immutable.
 *
 * @param id given by the database; 0 for one that isn't saved yet
 * @param entry the callers, and how their requests are treated
 * @param policy the name of the policy that made a ban; empty unless it is one
 * @param version how often the row was written; 0 for one that isn't saved yet
 * @param createdAt when it was added; empty for one that isn't saved yet
 * @param updatedBy the author of its last change; empty for one that isn't saved yet
 */
public record AccessListRow(
    long id,
    AccessEntry entry,
    Optional<String> policy,
    long version,
    Optional<Instant> createdAt,
    String updatedBy) {
  /**
   * Takes the entry as it is.
   *
   * @param id given by the database
   * @param entry the callers, and how their requests are treated
   * @param policy the name of the policy that made a ban
   * @param version how often the row was written
   * @param createdAt when it was added
   * @param updatedBy the author of its last change
   */
  public AccessListRow {
    Objects.requireNonNull(entry, "entry");
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(createdAt, "createdAt");
    Objects.requireNonNull(updatedBy, "updatedBy");
  }

  /**
   * Makes a row that isn't saved yet.
   *
   * @param entry the entry
   * @return a new row
   */
  public static AccessListRow of(AccessEntry entry) {
    return new AccessListRow(0, entry, Optional.empty(), 0, Optional.empty(), "");
  }

  /**
   * Returns the row with another entry, to be saved in its place.
   *
   * @param other the entry
   * @return a row of the same id and version
   */
  public AccessListRow with(AccessEntry other) {
    return new AccessListRow(id, other, policy, version, createdAt, updatedBy);
  }
}
