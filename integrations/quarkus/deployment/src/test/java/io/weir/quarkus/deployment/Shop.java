package io.weir.quarkus.deployment;

import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jboss.resteasy.reactive.RestForm;
import org.jboss.resteasy.reactive.RestPath;

/** Resources of every kind that Quarkus REST has. */
@Path("/shop")
public class Shop {
  @Inject Mailer mailer;

  @GET
  @Path("free")
  @NonBlocking
  public String free() {
    return Thread.currentThread().getName();
  }

  /** Limited by settings. */
  @GET
  @Path("caf%C3%A9/{table}")
  public String table(@RestPath String table) {
    return table;
  }

  @GET
  @Path("blocking")
  @Blocking
  @RateLimit(limit = 1, window = 60, by = By.IP, name = "blocking")
  public String blocking() {
    return "blocking";
  }

  @GET
  @Path("uni")
  @RateLimit(limit = 1, window = 60, by = By.IP, name = "uni")
  public Uni<String> uni() {
    return Uni.createFrom().item("uni");
  }

  @GET
  @Path("multi")
  @RateLimit(limit = 1, window = 60, by = By.IP, count = Count.FAILURES, name = "multi")
  public Multi<String> multi() {
    return Multi.createFrom().items("a", "b");
  }

  /** Sends an event and then nothing, until the caller leaves. */
  @GET
  @Path("events")
  @Produces(MediaType.SERVER_SENT_EVENTS)
  @RateLimit(limit = 1, window = 60, by = By.IP, count = Count.SUCCESSES, name = "events")
  public Multi<String> events() {
    return Multi.createFrom().ticks().every(Duration.ofMillis(50)).map(tick -> "event-" + tick);
  }

  /** Breaks off after the head. */
  @GET
  @Path("broken")
  @Produces(MediaType.TEXT_PLAIN)
  @RateLimit(limit = 1, window = 60, by = By.IP, count = Count.SUCCESSES, name = "broken")
  public StreamingOutput broken() {
    return out -> {
      out.write("x".repeat(20_000).getBytes(StandardCharsets.UTF_8));
      out.flush();
      throw new IllegalStateException("on purpose");
    };
  }

  @GET
  @Path("kinds")
  @Produces(MediaType.TEXT_PLAIN)
  @RateLimit(limit = 1, window = 60, by = By.IP, name = "plain")
  public String plain() {
    return "plain";
  }

  @GET
  @Path("kinds")
  @Produces(MediaType.APPLICATION_XML)
  @RateLimit(limit = 2, window = 60, by = By.IP, name = "xml")
  public String xml() {
    return "<xml/>";
  }

  @GET
  @Path("items/{id: [a-z]+}")
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "path:id", name = "items")
  public String item(@RestPath String id) {
    return id;
  }

  @POST
  @Path("orders")
  @Consumes(MediaType.TEXT_PLAIN)
  @RateLimit(limit = 1, window = 60, by = By.IP, name = "orders")
  public String order(String text) {
    return text;
  }

  @POST
  @Path("form")
  @NonBlocking
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "form:user", name = "form")
  public String form(@RestForm String user, @RestForm String more) {
    return user + "+" + more;
  }

  @POST
  @Path("form-blocking")
  @Blocking
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "form:user", name = "form-blocking")
  public String formBlocking(@RestForm String user, @RestForm String more) {
    return user + "+" + more;
  }

  @POST
  @Path("late")
  @RateLimit(limit = 1, window = 60, by = By.USER, name = "late")
  public String late(@RestForm String more) {
    return "late " + more;
  }

  @POST
  @Path("json")
  @Consumes(MediaType.APPLICATION_JSON)
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "json:/user", name = "json")
  public Uni<String> json(String body) {
    return Uni.createFrom().item(body);
  }

  @POST
  @Path("json-user")
  @Consumes(MediaType.APPLICATION_JSON)
  @Blocking
  @RateLimit(limit = 5, window = 60, by = By.USER, costFrom = "json:/amount", name = "json-cost")
  public String jsonOfUser(String body) {
    return body;
  }

  @POST
  @Path("json-user-uni")
  @Consumes(MediaType.APPLICATION_JSON)
  @RateLimit(limit = 5, window = 60, by = By.USER, costFrom = "json:/amount", name = "uni-cost")
  public Uni<String> jsonOfUserLater(String body) {
    return Uni.createFrom().item(body);
  }

  @POST
  @Path("form-user")
  @Blocking
  @RateLimit(limit = 5, window = 60, by = By.USER, costFrom = "form:amount", name = "form-cost")
  public String formOfUser(@RestForm String amount) {
    return amount;
  }

  @POST
  @Path("form-user-uni")
  @RateLimit(limit = 5, window = 60, by = By.USER, costFrom = "form:amount", name = "form-uni")
  public Uni<String> formOfUserLater(@RestForm String amount) {
    return Uni.createFrom().item(amount);
  }

  @GET
  @Path("account")
  @RateLimit(limit = 1, window = 60, by = By.USER, name = "account")
  public String account() {
    return "account";
  }

  @Path("parts")
  public Parts parts() {
    return new Parts();
  }

  /** A sub-resource. */
  public static class Parts {
    @GET
    @Path("{id}")
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "parts")
    public String part(@RestPath String id) {
      return id;
    }

    @POST
    @Path("json")
    @Consumes(MediaType.APPLICATION_JSON)
    @RateLimit(limit = 5, window = 60, by = By.USER, costFrom = "json:/amount", name = "part-cost")
    public Uni<String> json(String body) {
      return Uni.createFrom().item(body);
    }
  }

  /** Calls a limited method, of which the request is refused one call. */
  @GET
  @Path("mail")
  public String mail() {
    return mailer.send();
  }

  @GET
  @Path("mail-later")
  public Uni<String> mailLater() {
    return Uni.createFrom()
        .item("")
        .onItem()
        .delayIt()
        .by(Duration.ofMillis(1))
        .map(any -> mailer.send());
  }
}
