package io.weir.internal.rules.request;

import io.weir.internal.rules.callers.CallerId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request: a user, a key or an address. Immutable.
 *
 * @param text the user's name or the key; empty for an address
 * @param row the caller's id in the database; empty if it can have no row
 */
record RequestCaller(Kind kind, String text, Optional<CallerId> row) {
  static final RequestCaller NOBODY = new RequestCaller(Kind.NOBODY, "", Optional.empty());

  enum Kind {
    /** Signed in. */
    USER,
    /** Not signed in, but with a key. */
    KEY,
    /** Neither: counted by address. */
    NOBODY
  }

  /** Identifies the caller by the user or, without one, the key. */
  static RequestCaller of(@Nullable String user, @Nullable String key, boolean isPlain) {
    if (user != null && !user.isBlank()) {
      return new RequestCaller(Kind.USER, user, isPlain ? Optional.empty() : CallerId.user(user));
    }
    if (key == null) {
      return NOBODY;
    }
    return new RequestCaller(
        Kind.KEY, key, isPlain ? CallerId.plainKey(key) : Optional.of(CallerId.key(key)));
  }

  boolean isUser() {
    return kind == Kind.USER;
  }
}
