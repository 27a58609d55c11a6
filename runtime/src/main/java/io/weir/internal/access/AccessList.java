package io.weir.internal.access;

import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.internal.extension.UserReadWatch;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.value.AddressBits;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Holds entries so that one look-up for each kind of subject finds what they say of a request.
 *
 * <p>Safe for concurrent use.
 */
final class AccessList {
  private final SubjectReader reader;
  private final AddressTable addresses;
  private final AccessEntries keys = new AccessEntries();
  private final AccessEntries users = new AccessEntries();
  private final Map<String, AccessEntries> resolved = new TreeMap<>();

  /** Takes the entries about addresses apart from all others. */
  AccessList(SubjectReader reader, List<AccessEntry> others, List<BlockEntry> blocks) {
    this.reader = reader;
    others.forEach(this::add);
    this.addresses = new AddressTable(blocks);
  }

  private void add(AccessEntry entry) {
    switch (entry.subject().type()) {
      case ADDRESS -> throw new IllegalArgumentException("a block is needed: " + entry.subject());
      case KEY -> keys.add(entry);
      case USER -> users.add(entry);
      case RESOLVED ->
          resolved
              .computeIfAbsent(entry.subject().resolver(), any -> new AccessEntries())
              .add(entry);
      case POLICY -> throw new IllegalArgumentException("bans aren't in this list: " + entry);
    }
  }

  /**
   * Looks up what wasn't looked up before.
   *
   * @param isUserKnown whether the request has passed the sign-in
   * @throws io.weir.InvalidRequestException if its key is malformed
   */
  AccessFinding find(
      RequestInfo request,
      ClientAddress callers,
      boolean isUserKnown,
      AccessFinding before,
      Ticker ticker) {
    if (!before.isUnread() && !before.waits() && !(isUserKnown && !users.isEmpty())) {
      return before;
    }
    AccessSearch search = new AccessSearch(before, ticker);
    if (before.isUnread() && !addresses.isEmpty()) {
      AddressBits address = callers.whole(request);
      if (address != null) {
        addresses.search(address, search);
      }
    }
    // Of a denied caller nothing more is read: what it sends may be unreadable.
    boolean waits =
        before.waits() && !search.denies() && searchValues(request, isUserKnown, search);
    if (isUserKnown && !users.isEmpty() && !search.denies()) {
      Optional<String> user = request.user();
      if (user.isPresent()) {
        search.nextSubject();
        search.consider(users.of(user.get()));
      }
    }
    return search.found(waits);
  }

  /**
   * Looks up the key and the values of resolvers, unless they depend on a user that isn't known.
   *
   * @return whether they do
   */
  private boolean searchValues(RequestInfo request, boolean isUserKnown, AccessSearch search) {
    if (keys.isEmpty() && resolved.isEmpty()) {
      return false;
    }
    boolean waits = !keys.isEmpty() && !search(request, isUserKnown, reader::digest, keys, search);
    for (Map.Entry<String, AccessEntries> each : resolved.entrySet()) {
      Function<RequestInfo, Optional<String>> value = seen -> reader.value(each.getKey(), seen);
      waits |= !search(request, isUserKnown, value, each.getValue(), search);
    }
    return waits;
  }

  /** Returns false if the value depends on a user that isn't known yet. */
  private static boolean search(
      RequestInfo request,
      boolean isUserKnown,
      Function<RequestInfo, Optional<String>> value,
      AccessEntries entries,
      AccessSearch search) {
    UserReadWatch watched = new UserReadWatch(request);
    Optional<String> read = value.apply(watched);
    boolean isKnown = isUserKnown || !watched.isUserRead();
    if (isKnown && read.isPresent()) {
      search.nextSubject();
      search.consider(entries.of(read.get()));
    }
    return isKnown;
  }
}
