package io.weir.internal.control.session;

import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.SchemaName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The signed-in caller, for pages. Immutable. */
@SchemaName("Session")
public record SessionDocument(
    @Described("The caller's name in histories; may be empty") String name,
    @Described("The user whose own data the caller may read; null for a program")
        @Nullable String userId,
    @Described(
            "The caller's roles, with those that they include: weir-admin, weir-check,"
                + " weir-metrics, weir-view and user, even if settings rename them")
        List<String> roles,
    @Described("When the caller has to sign in again; null if that isn't known")
        @Nullable Instant validUntil,
    @Described("The application's page for signing in; null if there is none")
        @Nullable String signIn,
    @Described("Whether DELETE signs out") boolean signOut) {
  public SessionDocument {
    roles = List.copyOf(roles);
  }
}
