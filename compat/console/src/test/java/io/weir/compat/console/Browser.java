package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.ElementNotInteractableException;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real Chromium that shows the console. It reaches this machine only. */
final class Browser implements AutoCloseable {
  static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  static final Path DRIVER = Path.of("/usr/bin/chromedriver");

  /** Takes the pictures into the documentation as well. */
  private static final boolean COPIES = Boolean.getBoolean("weir.console.screenshots");

  private static final Path PICTURES = Path.of("target", "screenshots");
  private static final Path DOCUMENTED = Path.of("..", "..", "docs", "console");
  private static final int WIDE = 1440;
  private static final int HEIGHT = 900;
  private static final int PHONE = 390;
  private static final int PHONE_HEIGHT = 844;

  private final ChromeDriver driver;
  private final String console;

  /** Starts a browser for the console of a server. */
  Browser(String server) {
    this.console = server + "/v1/console/";
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
        "--hide-scrollbars",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(DRIVER.toFile())
            .usingAnyFreePort()
            .build();
    driver = new ChromeDriver(service, options);
    wide();
  }

  /** The driver, for what one test alone needs. */
  ChromeDriver driver() {
    return driver;
  }

  void wide() {
    size(WIDE, HEIGHT);
  }

  void phone() {
    size(PHONE, PHONE_HEIGHT);
  }

  private void size(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Chooses {@code light} or {@code dark}, as the system would. */
  void colours(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Loads the console at an address behind the {@code #}. */
  void load(String address) {
    driver.get("about:blank");
    driver.get(console + "#" + address);
  }

  /** Loads the console and signs in. */
  void signIn(String token, String address) {
    load(address);
    await("#token");
    type("#token", token);
    click("#sign-in-submit");
    await("#who");
  }

  /** Shows another page, and waits until its module is shown. */
  void show(String address, String view) {
    run(
        "delete document.documentElement.dataset.view;"
            + " if (location.hash === '#' + arguments[0]) dispatchEvent(new"
            + " HashChangeEvent('hashchange')); else location.hash = arguments[0];",
        address);
    Await.until(
        "the page " + address,
        () -> view.equals(run("return document.documentElement.dataset.view ?? '';")));
    Await.until(
        "all parts of " + address + " are read",
        () ->
            Boolean.TRUE.equals(
                run(
                    "return !document.getElementById('view').innerText.includes('Reading …') &&"
                        + " [...document.querySelectorAll('#view .panel > .body')]"
                        + ".every(e => e.childElementCount > 0);")));
  }

  Object run(String script, Object... arguments) {
    Object result = driver.executeScript(script, arguments);
    return result == null ? "" : result;
  }

  boolean has(String selector) {
    return !driver.findElements(By.cssSelector(selector)).isEmpty();
  }

  void await(String selector) {
    Await.until(selector + " is there: " + address(), () -> has(selector));
  }

  private String address() {
    return driver.getCurrentUrl();
  }

  /** The text of an element; empty if there is none. */
  String text(String selector) {
    return (String)
        run("return document.querySelector(arguments[0])?.textContent ?? '';", selector);
  }

  void awaitText(String selector, String text) {
    Await.until(
        selector + " says '" + text + "', not '" + text(selector) + "'",
        () -> text(selector).contains(text));
  }

  String value(String selector) {
    return (String) run("return document.querySelector(arguments[0])?.value ?? '';", selector);
  }

  void click(String selector) {
    act(selector, WebElement::click);
  }

  /** Replaces what a field has. */
  void type(String selector, String text) {
    act(
        selector,
        field -> {
          field.clear();
          field.sendKeys(text);
        });
  }

  void choose(String selector, String value) {
    await(selector);
    run(
        "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
            + " e.dispatchEvent(new Event('input', {bubbles: true}));"
            + " e.dispatchEvent(new Event('change', {bubbles: true}));",
        selector,
        value);
  }

  /** A page may be drawn anew between finding an element and using it. */
  private void act(String selector, Consumer<WebElement> action) {
    Await.until(
        selector + " can be used: " + address(),
        () -> {
          try {
            action.accept(driver.findElement(By.cssSelector(selector)));
            return true;
          } catch (NoSuchElementException
              | StaleElementReferenceException
              | ElementNotInteractableException again) {
            return false;
          }
        });
  }

  /** Sends a request as the page would, with its cookie, and returns the status. */
  long send(String method, String path, String body) {
    return (Long)
        driver.executeAsyncScript(
            "const [method, path, body, done] = arguments; fetch('../' + path, {method,"
                + " credentials: 'same-origin', headers: {'X-Weir': '1', 'Content-Type':"
                + " 'application/json'}, body: body || undefined}).then(r => done(r.status), e =>"
                + " done(-1));",
            method,
            path,
            body);
  }

  /** What a GET of the page answers. */
  String read(String path) {
    return (String)
        driver.executeAsyncScript(
            "const [path, done] = arguments; fetch(path, {credentials: 'same-origin'})"
                + ".then(r => r.text()).then(done, e => done('' + e));",
            path);
  }

  /** Checks that axe finds nothing, nor the browser a fault, nor a request to elsewhere. */
  void assertFlawless(String what) {
    List<String> found =
        new AxeBuilder().analyze(driver).getViolations().stream().map(Browser::told).toList();
    assertEquals(List.of(), found, what);
    assertEquals(
        List.of(),
        run(
            "return performance.getEntriesByType('resource').map(e => e.name)"
                + ".filter(n => new URL(n).origin !== location.origin);"),
        what + ": requests to elsewhere");
    assertEquals(
        0L,
        run("return Math.max(0, document.documentElement.scrollWidth - innerWidth);"),
        what + " is broader than the window");
    assertNoFaults(what);
  }

  private static String told(Rule violation) {
    return violation.getId()
        + ": "
        + violation.getNodes().stream().map(each -> each.getHtml()).toList();
  }

  /** Checks that no script failed and that the Content-Security-Policy forbade nothing. */
  void assertNoFaults(String what) {
    List<String> faults =
        driver.manage().logs().get(LogType.BROWSER).getAll().stream()
            .map(LogEntry::getMessage)
            .filter(each -> each.contains("Uncaught") || each.contains("Content Security Policy"))
            .toList();
    assertEquals(List.of(), faults, what);
  }

  /** Takes a picture into {@code target/screenshots}, and into the documentation if wanted. */
  void picture(String name) {
    try {
      Files.createDirectories(PICTURES);
      Path file = PICTURES.resolve(name + ".png");
      Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
      if (COPIES) {
        Files.createDirectories(DOCUMENTED);
        Files.copy(file, DOCUMENTED.resolve(name + ".png"), StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
