package io.weir.internal.control.session;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.access.RoleCheck;
import io.weir.internal.control.http.ControlPaths;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.settings.SignInAddress;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Returns the caller that the application has signed in. The service has a servlet of its own at
 * this path, which also signs in and out.
 *
 * <p>Safe for concurrent use.
 */
@Path("/v1/session")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class SessionResource {
  /** The names of roles in responses, in their order there. */
  private static final Map<String, ControlRole> NAMES =
      new TreeMap<>(
          Map.of(
              "weir-admin", ControlRole.ADMIN,
              "weir-view", ControlRole.VIEW,
              "weir-check", ControlRole.CHECK,
              "user", ControlRole.USER));

  private final RoleCheck roles;
  private final UnaryOperator<String> settings;

  public SessionResource(UnaryOperator<String> settings) {
    this.roles = new RoleCheck(settings);
    this.settings = settings;
  }

  /**
   * A browser that shows this address is led to the console: the application's sign-in sends it
   * here, where the console has opened this address to have somebody signed in.
   */
  @GET
  @OpenTo(ControlRole.SIGNED_IN)
  @Operation(
      value =
          "Return the signed-in user; redirect browsers, which accept text/html, to the console."
              + " In the server, POST with a Bearer token also opens a session by cookie, and"
              + " DELETE ends it",
      answer = SessionDocument.class,
      needsDatabase = false)
  public Response session(
      @Context SecurityContext caller, @Context HttpHeaders headers, @Context UriInfo uri) {
    if (headers.getAcceptableMediaTypes().contains(MediaType.TEXT_HTML_TYPE)) {
      return ControlPaths.redirect(uri, path -> path.replaceFirst("[^/]+/*$", "console/")).build();
    }
    String name = CallerName.of(caller);
    return JsonEntity.ok(
        new SessionDocument(
            name,
            roles.hasRole(ControlRole.USER, caller) ? name : null,
            roles(caller),
            null,
            SignInAddress.of(settings).orElse(null),
            false));
  }

  private List<String> roles(SecurityContext caller) {
    return NAMES.entrySet().stream()
        .filter(each -> roles.hasRole(each.getValue(), caller))
        .map(Map.Entry::getKey)
        .toList();
  }
}
