package io.weir.spring;

import io.weir.RateLimitExceededException;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spring.operations.BootedApplication;
import io.weir.spring.operations.OpenToAll;
import java.util.Arrays;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Starts a web application whose limited methods AspectJ's agent weaves and Spring proxies. */
@Import(OpenToAll.class)
public class WovenMain {
  private static final int CALLS = 6;

  /** Spring makes it. */
  public WovenMain() {}

  /** A bean, also with what a proxy can't limit. */
  public static class Mailer {
    /** Is called by other beans and by this. */
    @RateLimit(limit = 4, window = 3_600, by = By.ENDPOINT)
    public void send() {}

    /** Calls on this, which no proxy sees. */
    public void resend() {
      send();
    }

    /** Calls a method that no proxy sees. */
    public void encrypt() {
      hidden();
    }

    @RateLimit(limit = 3, window = 3_600, by = By.ENDPOINT)
    private void hidden() {}
  }

  /** A controller that another bean calls too. */
  @RestController
  public static class Pages {
    /** Answers requests and calls. */
    @GetMapping("/page")
    @RateLimit(limit = 4, window = 3_600, by = By.ENDPOINT)
    public String page() {
      return "page";
    }
  }

  /**
   * Calls the controller.
   *
   * @param pages the controller, which is proxied for it
   */
  public record Job(Pages pages) {}

  /** Makes the bean. */
  @Bean
  public Mailer mailer() {
    return new Mailer();
  }

  /** Makes the controller. */
  @Bean
  public Pages pages() {
    return new Pages();
  }

  /** Makes the caller of the controller. */
  @Bean
  public Job job(Pages pages) {
    return new Job(pages);
  }

  /**
   * Calls more often than is admitted, and prints how often it was.
   *
   * @param arguments none
   */
  public static void main(String[] arguments) {
    try (BootedApplication application = BootedApplication.start(WovenMain.class)) {
      Mailer mailer = application.context().getBean(Mailer.class);
      Pages pages = application.context().getBean(Job.class).pages();
      print("woven " + (isWoven(Mailer.class) && isWoven(Pages.class)));
      print("proxied " + (AopUtils.isAopProxy(mailer) && AopUtils.isAopProxy(pages)));
      print("send " + admitted(1, mailer::send) + ", then " + admitted(CALLS, mailer::resend));
      print("hidden " + admitted(CALLS, mailer::encrypt));
      int served = 0;
      for (int at = 0; at < 2; at++) {
        served += application.get("/page").statusCode() == 200 ? 1 : 0;
      }
      print("served " + served + ", then " + admitted(CALLS, pages::page));
      print("then status " + application.get("/page").statusCode());
    }
  }

  private static boolean isWoven(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(each -> each.getName().contains("_aroundBody"));
  }

  private static int admitted(int calls, Runnable call) {
    int admitted = 0;
    for (int at = 0; at < calls; at++) {
      try {
        call.run();
        admitted++;
      } catch (RateLimitExceededException refused) {
        // counted by what is missing
      }
    }
    return admitted;
  }

  private static void print(String line) {
    System.out.println("result: " + line);
  }
}
