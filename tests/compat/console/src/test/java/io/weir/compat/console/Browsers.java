package io.weir.compat.console;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.SessionNotCreatedException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * Keeps the browsers of all tests, each of which is used again: one takes seconds of a processor to
 * start. One that is used again knows nothing of who used it before.
 */
final class Browsers implements AutoCloseable {
  private static final int MAX_TRIES = 3;
  private static final Deque<ChromeDriver> FREE = new ArrayDeque<>();

  /** Returns a browser that nobody uses. */
  static synchronized ChromeDriver take() {
    return FREE.isEmpty() ? start() : FREE.pop();
  }

  /** Takes a browser back that shows an empty page in its one window. */
  static synchronized void giveBack(ChromeDriver driver) {
    FREE.push(driver);
  }

  /** Starts a browser; a Chromium may end at its start for reasons of its own. */
  private static ChromeDriver start() {
    for (int tries = 1; ; tries++) {
      try {
        return started();
      } catch (SessionNotCreatedException ended) {
        if (tries == MAX_TRIES) {
          throw ended;
        }
        System.out.println("Chromium is started again: " + ended.getRawMessage());
      }
    }
  }

  private static ChromeDriver started() {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(Browser.CHROMIUM.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--in-process-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-extensions",
        "--disable-component-extensions-with-background-pages",
        "--disable-sync",
        "--disable-site-isolation-trials",
        "--disable-back-forward-cache",
        "--disable-features=PreloadTopChromeWebUI,SpareRendererForSitePerProcess,Translate",
        "--renderer-process-limit=1",
        "--no-first-run",
        "--hide-scrollbars",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL); // has each request
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(Browser.DRIVER.toFile())
            .usingAnyFreePort()
            .build();
    ChromeDriver driver = new ChromeDriver(service, options);
    driver.manage().timeouts().scriptTimeout(Duration.ofMinutes(1));
    return driver;
  }

  /** Forgets cookies, files and what was logged, and shows an empty page in one window. */
  static void clear(ChromeDriver driver) {
    List<String> windows = List.copyOf(driver.getWindowHandles());
    for (String each : windows.subList(1, windows.size())) {
      driver.switchTo().window(each).close();
    }
    driver.switchTo().window(windows.get(0));
    driver.get("about:blank");
    driver.executeCdpCommand("Page.resetNavigationHistory", Map.of());
    driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
    driver.executeCdpCommand("Network.clearBrowserCache", Map.of());
    driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
    for (String each : List.of(LogType.BROWSER, LogType.PERFORMANCE)) {
      Object unused = driver.manage().logs().get(each);
    }
  }

  /** Ends all browsers, after all tests. */
  @Override
  public void close() {
    synchronized (Browsers.class) {
      FREE.forEach(ChromeDriver::quit);
      FREE.clear();
    }
  }
}
