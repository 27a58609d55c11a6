package io.weir.internal.control.decide;

import io.weir.Key;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.ban.KeyText;
import io.weir.internal.control.decide.request.DescribedRequest;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the bans in force on this node that are about a caller. Safe for concurrent use. */
final class CallerBans {
  private final WeirRuntime weir;

  CallerBans(WeirRuntime weir) {
    this.weir = weir;
  }

  /**
   * Returns the bans of a caller: those whose subject has its name, address or key, and no other
   * one.
   */
  List<AccessEntry> of(DescribedRequest caller) {
    List<AccessEntry> all = weir.bans();
    if (all.isEmpty()) {
      return all;
    }
    Map<String, String> own = new HashMap<>();
    put(own, caller.user().map(Key::user));
    put(own, caller.address().map(Key::address));
    put(own, caller.apiKey().map(Key::of));
    return all.stream()
        .filter(ban -> isAbout(ban.subject(), own))
        .sorted(Comparator.comparing(ban -> ban.subject().toString()))
        .toList();
  }

  private static void put(Map<String, String> own, Optional<Key> part) {
    part.map(KeyText::of).ifPresent(text -> own.put(kind(text), text));
  }

  private static String kind(String part) {
    return part.substring(0, part.indexOf(':') + 1);
  }

  private static boolean isAbout(AccessSubject subject, Map<String, String> own) {
    String key = subject.type() == AccessSubject.Type.POLICY ? subject.value() : subject.toString();
    boolean isNamed = false;
    for (String part : key.split(",")) { // which no part has
      String known = own.get(kind(part));
      if (known != null && !known.equals(part)) {
        return false;
      }
      isNamed |= known != null;
    }
    return isNamed;
  }
}
