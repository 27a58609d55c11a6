package io.weir.compat.stack;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.util.Set;

/** The endpoints of the checks as JAX-RS resources, written as an application would. */
@Path("/")
public class CheckedResources {
  /** For the implementation. */
  public CheckedResources() {}

  /**
   * Lists what an application registers beside Weir's feature.
   *
   * @return resources and providers
   */
  public static Set<Class<?>> classes() {
    return Set.of(
        CheckedResources.class,
        CheckedSignIn.class,
        ExpectedMapper.class,
        UnprocessableMapper.class);
  }

  /** By address. */
  @GET
  @Path("ip")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "ip")
  public String ip() {
    return "ip";
  }

  /** By user. */
  @GET
  @Path("user")
  @RateLimit(limit = 3, window = 60, by = By.USER, name = "user")
  public String user() {
    return "user";
  }

  /** By a header field. */
  @GET
  @Path("key")
  @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:X-Api-Key", name = "key")
  public String key() {
    return "key";
  }

  /** Answers from another thread. */
  @GET
  @Path("async")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "async")
  public void async(@Suspended AsyncResponse response) {
    later(() -> response.resume("async"));
  }

  /** Throws what a mapper makes a 500 of. */
  @GET
  @Path("mapped")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "mapped")
  public String mapped() {
    throw new ExpectedException();
  }

  /** Succeeds or fails as it is told. */
  @GET
  @Path("failures")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures")
  public String failures(@QueryParam("status") int status) {
    if (status == 422) {
      throw new UnprocessableException();
    }
    return "fine";
  }

  /** The same from another thread. */
  @GET
  @Path("failures-async")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures-async")
  public void failuresAsync(@QueryParam("status") int status, @Suspended AsyncResponse response) {
    later(
        () -> {
          if (status == 422) {
            response.resume(new UnprocessableException());
          } else {
            response.resume("fine");
          }
        });
  }

  /** Throws what no mapper knows. */
  @GET
  @Path("unmapped")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unmapped")
  public String unmapped() {
    throw new IllegalStateException("on purpose");
  }

  /** The same, where only successes count. */
  @GET
  @Path("unmapped-success")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.SUCCESSES, name = "unmapped-success")
  public String unmappedSuccess() {
    throw new IllegalStateException("on purpose");
  }

  /** Without a limit. */
  @GET
  @Path("free")
  public String free() {
    return "free";
  }

  /** Has a variable in its path, and no limit. */
  @GET
  @Path("items/{id}")
  public String item(@PathParam("id") String id) {
    return id;
  }

  private static void later(Runnable answer) {
    Thread thread = new Thread(answer, "checked-async");
    thread.setDaemon(true);
    thread.start();
  }

  /** An exception that the application maps to 500. */
  public static class ExpectedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** On purpose. */
    public ExpectedException() {}
  }

  /** An exception that the application maps to 422. */
  public static class UnprocessableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** On purpose. */
    public UnprocessableException() {}
  }

  /** Maps to 500. */
  @Provider
  public static class ExpectedMapper implements ExceptionMapper<ExpectedException> {
    /** For the implementation. */
    public ExpectedMapper() {}

    @Override
    public Response toResponse(ExpectedException exception) {
      return Response.status(500).entity("mapped").type("text/plain").build();
    }
  }

  /** Maps to 422. */
  @Provider
  public static class UnprocessableMapper implements ExceptionMapper<UnprocessableException> {
    /** For the implementation. */
    public UnprocessableMapper() {}

    @Override
    public Response toResponse(UnprocessableException exception) {
      return Response.status(422).entity("unprocessable").type("text/plain").build();
    }
  }
}
