package io.weir.internal.control.console;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.ControlPaths;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.settings.SignInAddress;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files of the console, and the address of the page for signing in. They hold no data,
 * so they are open to everybody; what they show comes from the other resources. Browsers keep the
 * files, and ask each time whether they have changed.
 *
 * <p>Immutable.
 */
@Path("/v1/console")
@Unlimited
public final class ConsoleResource {
  private static final String INDEX = "index.html";
  private static final String REVALIDATE = "no-cache";

  /** Allows only files of this server, and nothing inline; no other page may frame them. */
  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self';"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final UnaryOperator<String> settings;

  public ConsoleResource(UnaryOperator<String> settings) {
    this.settings = settings;
  }

  record SignInDocument(
      @Described("The application's page for signing in; null if none is set")
          @Nullable String signIn) {}

  /** The addresses of the first page are relative, so its own must end with a slash. */
  @GET
  @Produces(MediaType.WILDCARD)
  @OpenTo(ControlRole.ANYONE)
  @Operation(value = "Return the first page of the console", answer = String.class)
  public Response index(@Context UriInfo uri, @Context HttpHeaders headers) {
    return ControlPaths.withoutParameters(uri.getPath(false)).endsWith("/")
        ? file(INDEX, headers)
        : toDirectory(uri);
  }

  private static Response toDirectory(UriInfo uri) {
    return ControlPaths.redirect(uri, path -> path + "/")
        .header(HttpHeaders.CACHE_CONTROL, REVALIDATE)
        .build();
  }

  /**
   * Returns the page for signing in to everybody: where the application's own sign-in refuses
   * requests, they don't reach the API, whose answers would name it.
   */
  @GET
  @Path("/sign-in")
  @Produces(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ANYONE)
  @Operation(value = "Return the application's page for signing in", answer = SignInDocument.class)
  public Response signIn() {
    return JsonEntity.ok(new SignInDocument(SignInAddress.of(settings).orElse(null)));
  }

  @GET
  @Path("/{file: .+}")
  @Produces(MediaType.WILDCARD)
  @OpenTo(ControlRole.ANYONE)
  @Operation(value = "Return a file of the console", answer = String.class, errors = 404)
  public Response file(@PathParam("file") String file, @Context HttpHeaders headers) {
    ConsoleFile found =
        ConsoleFiles.get()
            .find(file)
            .orElseThrow(() -> Problem.notFound("The console has no such file.").exception());
    boolean isCompressed =
        found.isSmallerCompressed()
            && AcceptedEncodings.includeGzip(headers.getHeaderString(HttpHeaders.ACCEPT_ENCODING));
    EntityTag tag = found.tag(isCompressed);
    Response.ResponseBuilder response =
        isKnown(tag, headers.getHeaderString(HttpHeaders.IF_NONE_MATCH))
            ? Response.notModified()
            : Response.ok(new ConsoleEntity(found, isCompressed), found.type());
    return response
        .tag(tag)
        .header(HttpHeaders.CACHE_CONTROL, REVALIDATE)
        .header(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
        .header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        .header("Referrer-Policy", "no-referrer")
        .build();
  }

  /** Compares tags; JAX-RS would fail on a field that is malformed. */
  private static boolean isKnown(EntityTag tag, @Nullable String ifNoneMatch) {
    String quoted = '"' + tag.getValue() + '"';
    return ifNoneMatch != null
        && Arrays.stream(ifNoneMatch.split(","))
            .map(String::strip)
            .anyMatch(
                each -> each.equals("*") || each.equals(quoted) || each.equals("W/" + quoted));
  }
}
