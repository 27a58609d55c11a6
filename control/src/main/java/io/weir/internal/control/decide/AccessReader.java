package io.weir.internal.control.decide;

import io.weir.internal.access.AccessFinding;
import io.weir.internal.application.WeirRuntime;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the entries of access lists that are about a caller: those of settings, file and database
 * together. Safe for concurrent use.
 */
public final class AccessReader {
  private final WeirRuntime weir;

  private AccessReader(WeirRuntime weir) {
    this.weir = weir;
  }

  public static AccessReader of(WeirRuntime weir) {
    return new AccessReader(weir);
  }

  /**
   * Returns the entry that decides, if one does, and one that would if it weren't in shadow mode.
   */
  List<AccessMatch> of(RequestInfo request) {
    AccessFinding found = weir.peekAccess(request);
    return Stream.of(found.entry(), found.shadow())
        .flatMap(Optional::stream)
        .map(AccessMatch::of)
        .toList();
  }
}
