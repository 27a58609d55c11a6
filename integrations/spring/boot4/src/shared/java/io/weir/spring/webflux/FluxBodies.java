package io.weir.spring.webflux;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.http.codec.multipart.FormFieldPart;
import org.springframework.http.codec.multipart.Part;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Handlers that read a body in each way, with and without policies that read it first. */
@Import({
  FluxBodies.Limited.class,
  FluxBodies.OfUsers.class,
  FluxBodies.ByUrl.class,
  FluxBodies.Plain.class
})
class FluxBodies {
  /** Shows what WebFlux makes of a body. */
  public static class Account {
    private @Nullable String user;
    private @Nullable String text;

    public @Nullable String getUser() {
      return user;
    }

    public void setUser(@Nullable String user) {
      this.user = user;
    }

    public @Nullable String getText() {
      return text;
    }

    public void setText(@Nullable String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return user + "|" + text;
    }
  }

  /** Reads bodies. */
  abstract static class Ways {
    @PostMapping("/text")
    String text(@RequestBody String body) {
      return body;
    }

    @PostMapping("/account")
    String account(@RequestBody Account account) {
      return account.toString();
    }

    @PostMapping("/mono")
    Mono<String> mono(@RequestBody Mono<Account> account) {
      return account.map(Account::toString);
    }

    @PostMapping("/buffers")
    Mono<String> buffers(@RequestBody Flux<DataBuffer> body) {
      return text(body);
    }

    @PostMapping("/model")
    String model(@ModelAttribute Account account) {
      return account.toString();
    }

    /** Reads the body where WebFlux lets no argument have it, as that of a form. */
    @PostMapping("/raw")
    Mono<byte[]> raw(ServerWebExchange exchange) {
      return DataBufferUtils.join(exchange.getRequest().getBody())
          .map(
              all -> {
                byte[] bytes = new byte[all.readableByteCount()];
                all.read(bytes);
                DataBufferUtils.release(all);
                return bytes;
              });
    }

    @PutMapping("/form")
    Mono<String> form(ServerWebExchange exchange) {
      return exchange.getFormData().map(form -> new TreeMap<>(form).toString());
    }

    @PostMapping("/parts")
    Mono<String> parts(ServerWebExchange exchange) {
      return exchange
          .getMultipartData()
          .flatMapMany(parts -> Flux.fromIterable(parts.values()).concatMapIterable(List::copyOf))
          .concatMap(Ways::text)
          .collectList()
          .map(Object::toString);
    }

    @PostMapping("/upload")
    Mono<String> upload(
        @RequestPart("user") FormFieldPart user, @RequestPart("file") FilePart file) {
      return Flux.concat(text(user), text(file)).collectList().map(Object::toString);
    }

    /** Reads two buffers, whatever follows. */
    @PostMapping("/two")
    Mono<String> two(ServerWebExchange exchange) {
      return text(exchange.getRequest().getBody().take(2));
    }

    private static Mono<String> text(Part part) {
      String name = part instanceof FilePart file ? file.filename() : "";
      return text(part.content()).map(each -> part.name() + "|" + name + "|" + each);
    }

    private static Mono<String> text(Flux<DataBuffer> body) {
      return DataBufferUtils.join(body)
          .map(
              all -> {
                String text = all.toString(StandardCharsets.UTF_8);
                DataBufferUtils.release(all);
                return text;
              })
          .defaultIfEmpty("");
    }
  }

  @RestController
  @RequestMapping("/bodies")
  @RateLimit(
      limit = 3,
      window = 60,
      by = {By.KEY, By.IP},
      key = "form:user|json:/user",
      name = "bodies")
  static class Limited extends Ways {}

  /** Is decided right before its handlers, since the policy needs the user. */
  @RestController
  @RequestMapping("/users-bodies")
  @RateLimit(
      limit = 3,
      window = 60,
      by = {By.USER, By.KEY},
      key = "form:user|json:/user",
      name = "users-bodies")
  static class OfUsers extends Ways {}

  @RestController
  @RequestMapping("/urls")
  static class ByUrl extends Ways {}

  @RestController
  @RequestMapping("/plain")
  static class Plain extends Ways {
    /** Answers with the first bytes, while the client may still send others. */
    @PostMapping("/first")
    Mono<String> first(ServerWebExchange exchange) {
      return exchange
          .getRequest()
          .getBody()
          .next()
          .map(
              each -> {
                String text = each.toString(StandardCharsets.UTF_8);
                DataBufferUtils.release(each);
                return text;
              });
    }

    /** Answers how many values the field {@code user} of a form has, and the first of them. */
    @PostMapping("/user")
    Mono<String> user(ServerWebExchange exchange) {
      return exchange
          .getFormData()
          .map(
              form ->
                  form.containsKey("user")
                      ? form.get("user").size() + ":" + Objects.toString(form.getFirst("user"), "")
                      : "none");
    }
  }

  /** Counts sign-ins of an account, and all requests of an address. */
  @RestController
  @RequestMapping("/login")
  @RateLimit(
      limit = 3,
      window = 60,
      by = {By.KEY, By.IP},
      key = "lower:form:user|json:/user",
      name = "account")
  @RateLimit(limit = 6, window = 60, name = "address")
  static class Login extends Ways {}

  @RateLimit(
      limit = 3,
      window = 60,
      by = {By.KEY, By.IP},
      key = "form:user|json:/user",
      name = "routed")
  static class Routed implements HandlerFunction<ServerResponse> {
    @Override
    public Mono<ServerResponse> handle(ServerRequest request) {
      Mono<String> read =
          request.path().endsWith("form")
              ? request.formData().map(form -> new TreeMap<>(form).toString())
              : request.bodyToMono(Account.class).map(Account::toString);
      return read.flatMap(each -> ServerResponse.ok().bodyValue(each));
    }
  }

  @Bean
  RouterFunction<ServerResponse> bodyRoutes() {
    return RouterFunctions.route()
        .POST("/routed/account", new Routed())
        .POST("/routed/form", new Routed())
        .build();
  }
}
