package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.console.MountedApplication.Mounting;
import io.weir.seeds.Seeds;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import java.io.Serial;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WindowType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.Http403ForbiddenEntryPoint;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.filter.DelegatingFilterProxy;

/** Tests that people sign in to the console where Spring Security answers before Weir does. */
@NeedsChromium
class SpringSecurityTest {
  private static final String PASSWORD = "secret";

  /** Answers requests of nobody, and signs somebody in, each in its way. */
  enum Chain {
    /** Leads each request to its page. */
    FORM("", true),
    /** Leads each request to its page, which the application has named. */
    FORM_NAMED("/login", true),
    /** Answers 401, with WWW-Authenticate unless a script has asked. */
    BASIC("", false),
    /** Answers 401 to scripts, and leads browsers to its page. */
    BOTH("", true),
    /** Answers scripts with a bare 403, as some applications do. */
    BARE("/login", true),
    /** Answers scripts with 200 and a page. */
    PAGE("/login", true);

    private final String page;
    private final boolean hasForm;

    Chain(String page, boolean hasForm) {
      this.page = page;
      this.hasForm = hasForm;
    }

    void protect(HttpSecurity http) throws Exception {
      if (this != BASIC) {
        http.formLogin(Customizer.withDefaults());
      }
      if (this == BASIC || this == BOTH) {
        http.httpBasic(Customizer.withDefaults());
      } else if (this == BARE) {
        answer(http, new Http403ForbiddenEntryPoint());
      } else if (this == PAGE) {
        answer(
            http,
            (request, response, refused) -> {
              response.setContentType(MediaType.TEXT_HTML_VALUE);
              response.getWriter().write("<!doctype html><title>Sign in</title>");
            });
      }
    }

    private static void answer(HttpSecurity http, AuthenticationEntryPoint scripts)
        throws Exception {
      http.exceptionHandling(
          all ->
              all.defaultAuthenticationEntryPointFor(
                  scripts, request -> request.getHeader("X-Requested-With") != null));
    }

    void install(ServletContext servlets) {
      AnnotationConfigWebApplicationContext spring = new AnnotationConfigWebApplicationContext();
      spring.setServletContext(servlets);
      spring.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("kind", this));
      spring.register(Secured.class);
      spring.refresh();
      // Without one, Tomcat calls no filter for the page.
      servlets.addServlet("shop", new ShopServlet()).addMapping("/");
      MountedApplication.filter(
          servlets, new DelegatingFilterProxy("springSecurityFilterChain", spring));
    }
  }

  /** Serves nothing that anybody looks at. */
  private static final class ShopServlet extends HttpServlet {
    @Serial private static final long serialVersionUID = 1;
  }

  /** The application's configuration, as docs/spring.md has it. */
  @Configuration
  @EnableWebSecurity
  static class Secured {
    @Bean
    SecurityFilterChain chain(HttpSecurity http, Chain chain) throws Exception {
      chain.protect(http);
      return http.csrf(csrf -> csrf.ignoringRequestMatchers("/weir/**"))
          .authorizeHttpRequests(
              all ->
                  all.requestMatchers("/weir/v1/console/**")
                      .permitAll()
                      .anyRequest()
                      .authenticated())
          .build();
    }

    @Bean
    UserDetailsService users() {
      return new InMemoryUserDetailsManager(
          User.withUsername("root").password("{noop}" + PASSWORD).roles("boss").build());
    }
  }

  /** One in a short build, each on its day. */
  private static List<Chain> chains() {
    return Seeds.today(List.of(Chain.values()), Chain.values().length);
  }

  @ParameterizedTest
  @MethodSource("chains")
  void thePageOffersToSignInAndGoesOnAfterwards(Chain chain) {
    try (MountedApplication application =
            new MountedApplication(Mounting.SERVLET_BELOW, chain.page, chain::install);
        Browser browser = new Browser(application.url(), Mounting.SERVLET_BELOW.path())) {
      browser.load("/rules/new");
      browser.await("#sign-in-link");
      browser.assertFlawless("nobody is signed in");
      assertEquals(
          application.url() + (chain.page.isEmpty() ? "/weir/v1/session" : chain.page),
          browser.run("return document.getElementById('sign-in-link').href;"));
      signInBeside(chain, application, browser);
      application.awaitSaved(browser, "/api/secured");
      browser.awaitText("#side .live", "Live: 1 node");
      if (chain.hasForm) {
        asksAgainOnceTheSessionHasEnded(browser);
      }
    }
  }

  /** Signs in by a tab of its own, as people do, and comes back. */
  private static void signInBeside(Chain chain, MountedApplication application, Browser browser) {
    WebDriver driver = browser.driver();
    String console = driver.getWindowHandle();
    if (chain.hasForm) {
      browser.click("#sign-in-link");
      Await.until("the page opens", () -> driver.getWindowHandles().size() == 2);
      Set<String> tabs = driver.getWindowHandles();
      tabs.remove(console);
      driver.switchTo().window(tabs.iterator().next());
      browser.type("[name=username]", "root");
      browser.type("[name=password]", PASSWORD);
      browser.click("[type=submit]");
    } else {
      // Fills in the browser's own dialog, which no test can see.
      driver.switchTo().newWindow(WindowType.TAB);
      String link = application.url() + "/weir/v1/session";
      driver.get(link.replace("//", "//root:" + PASSWORD + "@"));
    }
    if (chain.page.isEmpty()) {
      browser.await("#who");
      assertTrue(driver.getCurrentUrl().contains("/weir/v1/console/"), driver::getCurrentUrl);
    } else {
      Await.until("somebody is signed in", () -> !browser.has("[name=password]"));
    }
    driver.close();
    driver.switchTo().window(console);
    Await.until(
        "the console goes on",
        () -> {
          browser.run("document.getElementById('sign-in-continue')?.click();");
          return browser.has("#who");
        });
    browser.awaitText("#who", "root");
  }

  private static void asksAgainOnceTheSessionHasEnded(Browser browser) {
    browser.forgetSession();
    browser.run("dispatchEvent(new HashChangeEvent('hashchange'));");
    browser.await("#session-ended #sign-in-link");
    assertFalse(browser.has("#token"), "the server's own form");
  }
}
