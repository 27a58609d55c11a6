package io.weir.internal.rules.request;

import io.weir.internal.rules.callers.CallerId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who calls: a user, a key or nobody. Immutable.
 *
 * @param kind which of them
 * @param text the user's name or the key; empty for nobody
 * @param row by what the database may know the caller; nothing if it can have no row
 */
record RequestCaller(Kind kind, String text, Optional<CallerId> row) {
  static final RequestCaller NOBODY = new RequestCaller(Kind.NOBODY, "", Optional.empty());

  /** What a caller is known by. */
  enum Kind {
    /** Signed in. */
    USER,
    /** Not signed in, but with a key. */
    KEY,
    /** Neither: counted by address. */
    NOBODY
  }

  /** Who calls, as far as it is known. */
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
