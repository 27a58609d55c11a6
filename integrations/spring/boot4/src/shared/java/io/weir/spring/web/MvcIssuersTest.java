package io.weir.spring.web;

import static io.weir.spring.SignedTokens.ONE;
import static io.weir.spring.SignedTokens.OTHER;
import static io.weir.spring.SignedTokens.bearer;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.spi.CallerTier;
import io.weir.spi.TierResolver;
import io.weir.spi.UserNames;
import io.weir.spring.SignedTokens;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.user.DefaultOAuth2User;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;
import org.springframework.security.oauth2.server.resource.authentication.JwtIssuerAuthenticationManagerResolver;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Counts users of several issuers who have one name. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class MvcIssuersTest {
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Users.class)
  static class App {}

  @RestController
  static class Users {
    @GetMapping("/user")
    @RateLimit(
        limit = 2,
        window = 3600,
        by = By.USER,
        tiers = @Tier(name = "company", limit = 3),
        name = "user")
    String user() {
      return "user";
    }
  }

  private static JwtDecoder decoder() {
    return NimbusJwtDecoder.withSecretKey(SignedTokens.key()).build();
  }

  private static HttpSecurity open(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(each -> each.anyRequest().authenticated());
  }

  @Configuration(proxyBeanMethods = false)
  static class SeveralIssuers {
    @Bean
    SecurityFilterChain tokens(HttpSecurity http) throws Exception {
      AuthenticationManager tokens = new JwtAuthenticationProvider(decoder())::authenticate;
      return open(http)
          .oauth2ResourceServer(
              each ->
                  each.authenticationManagerResolver(
                      new JwtIssuerAuthenticationManagerResolver(issuer -> tokens)))
          .build();
    }
  }

  /** One chain for each issuer, without a bean for either. */
  @Configuration(proxyBeanMethods = false)
  static class TwoChains {
    @Bean
    @Order(1)
    SecurityFilterChain one(HttpSecurity http) throws Exception {
      return open(http)
          .securityMatcher(request -> request.getHeader("X-One") != null)
          .oauth2ResourceServer(each -> each.jwt(jwt -> jwt.decoder(decoder())))
          .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain other(HttpSecurity http) throws Exception {
      return open(http)
          .oauth2ResourceServer(each -> each.jwt(jwt -> jwt.decoder(decoder())))
          .build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OneIssuer {
    @Bean
    SecurityFilterChain tokens(HttpSecurity http) throws Exception {
      return open(http)
          .oauth2ResourceServer(each -> each.jwt(jwt -> jwt.decoder(decoder())))
          .build();
    }
  }

  /** Signs in as a client registration does. */
  private static final class Login extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      @Nullable String registration = request.getHeader("X-Registration");
      if (registration != null) {
        DefaultOAuth2User user = new DefaultOAuth2User(List.of(), Map.of("name", "ann"), "name");
        SecurityContextHolder.setContext(
            new SecurityContextImpl(new OAuth2AuthenticationToken(user, List.of(), registration)));
      }
      chain.doFilter(request, response);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Logins {
    @Bean
    SecurityFilterChain logins(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(each -> each.anyRequest().permitAll())
          .addFilterBefore(new Login(), AuthorizationFilter.class)
          .build();
    }
  }

  private static InMemoryClientRegistrationRepository registrations(String... ids) {
    return new InMemoryClientRegistrationRepository(
        Stream.of(ids)
            .map(
                id ->
                    ClientRegistration.withRegistrationId(id)
                        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                        .clientId("weir")
                        .redirectUri("{baseUrl}/login/oauth2/code/{registrationId}")
                        .authorizationUri("https://" + id + ".example/login")
                        .tokenUri("https://" + id + ".example/token")
                        .build())
            .toList());
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Logins.class)
  static class TwoRegistrations {
    @Bean
    InMemoryClientRegistrationRepository registrations() {
      return MvcIssuersTest.registrations("one", "other");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Logins.class)
  static class OneRegistration {
    @Bean
    InMemoryClientRegistrationRepository registrations() {
      return MvcIssuersTest.registrations("one");
    }
  }

  /** Names all users of one company, who have a tier. */
  @Configuration(proxyBeanMethods = false)
  static class Companies {
    @Bean
    UserNames names() {
      return principal -> Optional.of("company/" + principal.getName());
    }

    @Bean
    TierResolver tiers() {
      return (request, policy) ->
          request.user().orElse("").equals("company/ann")
              ? CallerTier.named("company")
              : CallerTier.none();
    }
  }

  private static List<Integer> statuses(
      MvcServer server, int times, String field, String value, String... more) throws Exception {
    String[] fields =
        Stream.concat(Stream.of(field, value), Stream.of(more)).toArray(String[]::new);
    return server.statuses(times, "/user", MvcContract.caller(fields));
  }

  private static void assertCountedApart(MvcServer server, String... more) throws Exception {
    List<Integer> two = List.of(200, 200, 429);
    assertEquals(two, statuses(server, 3, "Authorization", bearer(ONE, "ann"), more));
    assertEquals(two, statuses(server, 3, "Authorization", bearer(OTHER, "ann")));
    assertEquals(429, statuses(server, 1, "Authorization", bearer(ONE, "ann"), more).get(0));
  }

  @Test
  void apartByAResolverOfIssuers() throws Exception {
    try (MvcServer server = MvcServer.start(List.of(App.class, SeveralIssuers.class))) {
      assertCountedApart(server);
    }
  }

  @Test
  void apartByAChainForEachIssuer() throws Exception {
    try (MvcServer server = MvcServer.start(List.of(App.class, TwoChains.class))) {
      assertCountedApart(server, "X-One", "yes");
    }
  }

  @Test
  void togetherByADecoderOfOneIssuer() throws Exception {
    try (MvcServer server = MvcServer.start(List.of(App.class, OneIssuer.class))) {
      assertEquals(List.of(200, 200), statuses(server, 2, "Authorization", bearer(ONE, "ann")));
      assertEquals(List.of(429), statuses(server, 1, "Authorization", bearer(OTHER, "ann")));
    }
  }

  @Test
  void apartBySeveralRegistrations() throws Exception {
    try (MvcServer server = MvcServer.start(List.of(App.class, TwoRegistrations.class))) {
      List<Integer> two = List.of(200, 200, 429);
      assertEquals(two, statuses(server, 3, "X-Registration", "one"));
      assertEquals(two, statuses(server, 3, "X-Registration", "other"));
    }
  }

  @Test
  void togetherByOneRegistration() throws Exception {
    try (MvcServer server = MvcServer.start(List.of(App.class, OneRegistration.class))) {
      assertEquals(List.of(200, 200, 429), statuses(server, 3, "X-Registration", "one"));
      assertEquals(List.of(429), statuses(server, 1, "X-Registration", "renamed"));
    }
  }

  @Test
  void tiersGoByTheNameThatABeanGivesAndBucketsByTheIssuerToo() throws Exception {
    try (MvcServer server =
        MvcServer.start(List.of(App.class, SeveralIssuers.class, Companies.class))) {
      List<Integer> three = List.of(200, 200, 200, 429);
      assertEquals(three, statuses(server, 4, "Authorization", bearer(ONE, "ann")));
      assertEquals(three, statuses(server, 4, "Authorization", bearer(OTHER, "ann")));
      assertEquals(
          List.of(200, 200, 429), statuses(server, 3, "Authorization", bearer(ONE, "ben")));
    }
  }
}
