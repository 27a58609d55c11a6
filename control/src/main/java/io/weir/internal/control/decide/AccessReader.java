package io.weir.internal.control.decide;

import io.weir.access.AccessEntry;
import io.weir.internal.access.AccessFinding;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.decide.request.DescribedRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the entries of access lists that are about a caller, those of settings, file and database
 * together, and its bans. Safe for concurrent use.
 */
public final class AccessReader {
  private final WeirRuntime weir;
  private final CallerBans bans;

  private AccessReader(WeirRuntime weir) {
    this.weir = weir;
    this.bans = new CallerBans(weir);
  }

  public static AccessReader of(WeirRuntime weir) {
    return new AccessReader(weir);
  }

  /**
   * Returns the entry that decides, if one does, and one that would if it weren't in shadow mode;
   * and the caller's bans, unless an entry overrules them.
   */
  List<AccessMatch> of(DescribedRequest request) {
    AccessFinding found = weir.peekAccess(request);
    Stream<AccessEntry> entries =
        Stream.of(found.entry(), found.shadow()).flatMap(Optional::stream);
    Stream<AccessEntry> all =
        found.denies() || found.allows()
            ? entries
            : Stream.concat(entries, bans.of(request).stream()).distinct();
    return all.map(AccessMatch::of).toList();
  }
}
