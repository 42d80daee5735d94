// libcurl: its variadic functions with one kind of value each, which is all that Swift can call.
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>
#include <string.h>

static inline CURLcode curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

// CURL_ERROR_SIZE bytes, for the cause of a failure.
static inline CURLcode curl_set_fault(CURL *handle, char *text) {
  return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, text);
}

// It is copied.
static inline CURLcode curl_set_body(CURL *handle, const void *bytes, long size) {
  curl_easy_setopt(handle, CURLOPT_POST, 1L);
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, size);
  return curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode curl_set_headers(CURL *handle, struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

static inline CURLcode curl_set_receiver(
    CURL *handle, size_t (*receive)(char *, size_t, size_t, void *), void *context) {
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
  return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive);
}

static inline long curl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

// Seconds; 0 where the server wishes none.
static inline curl_off_t curl_retry_after(CURL *handle) {
  curl_off_t seconds = 0;
  curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
  return seconds;
}

// Whether it leads to the same port of the same host, or from its plain port to its secure one.
static inline int curl_stays(const char *from, const char *to) {
  const CURLUPart parts[] = {CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT};
  char *words[2][3] = {{0}};
  CURLU *urls[2] = {curl_url(), curl_url()};
  int stays = urls[0] && urls[1] && !curl_url_set(urls[0], CURLUPART_URL, from, 0)
    && !curl_url_set(urls[1], CURLUPART_URL, to, 0);
  for (int i = 0; stays && i < 6; i++)
    stays = !curl_url_get(urls[i / 3], parts[i % 3], &words[i / 3][i % 3], CURLU_DEFAULT_PORT);
  if (stays) {
    int same = !strcmp(words[0][0], words[1][0]) && !strcmp(words[0][2], words[1][2]);
    int secured = !strcmp(words[0][0], "http") && !strcmp(words[0][2], "80")
      && !strcmp(words[1][0], "https") && !strcmp(words[1][2], "443");
    stays = (same || secured) && curl_strequal(words[0][1], words[1][1]);
  }
  for (int i = 0; i < 6; i++) curl_free(words[i / 3][i % 3]);
  curl_url_cleanup(urls[0]);
  curl_url_cleanup(urls[1]);
  return stays;
}

// Where the server sends the client instead; null where it does not.
static inline const char *curl_redirect(CURL *handle) {
  char *url = 0;
  curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url);
  return url;
}

static inline void curl_multi_on_socket(
    CURLM *multi, int (*watch)(CURL *, curl_socket_t, int, void *, void *), void *context) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
}

static inline void curl_multi_on_timer(
    CURLM *multi, int (*set)(CURLM *, long, void *), void *context) {
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set);
}

// How a transfer ended; null where none has.
static inline CURL *curl_multi_ended(CURLM *multi, CURLcode *result) {
  int rest = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &rest)))
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  return 0;
}

#endif
