package mcpprobe

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"
)

// plainCause says in words for people why a connection failed. The texts of the
// standard library name addresses and system calls that tell them nothing.
func plainCause(err error) string {
	if text := plainTLS(err); text != "" {
		return text
	}
	var (
		dns     *net.DNSError
		address *net.AddrError
		in      *url.Error
	)
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Sprintf("there is no host %q", dns.Name)
	case errors.As(err, &dns):
		return fmt.Sprintf("the name of the host %q cannot be looked up", dns.Name)
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the connection was cut by the peer"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "there is no route to the host"
	case errors.Is(err, syscall.ETIMEDOUT), errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the peer closed the connection before it had answered"
	case errors.As(err, &address):
		return address.Err
	case errors.As(err, &in):
		return strings.TrimPrefix(in.Err.Error(), "net/http: ")
	}
	return err.Error()
}

// passing reports whether another attempt may do better.
func passing(err error) bool {
	var dns *net.DNSError
	return plainTLS(err) == "" && !(errors.As(err, &dns) && dns.IsNotFound)
}

// plainTLS gives the reason where TLS is the reason, and else "".
func plainTLS(err error) string {
	var (
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
		header   tls.RecordHeaderError
		alert    tls.AlertError
	)
	switch {
	case errors.As(err, &unknown):
		return "the certificate is signed by an authority that is not trusted here"
	case errors.As(err, &hostname):
		return fmt.Sprintf("the certificate is not for the host %q", hostname.Host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired or is not valid yet"
	case errors.As(err, &invalid):
		return "the certificate is not valid: " + strings.TrimPrefix(invalid.Error(), "x509: ")
	case errors.As(err, &header):
		return "the peer does not speak TLS on this port"
	case errors.As(err, &alert):
		return "the peer refused the TLS handshake: " + strings.TrimPrefix(alert.Error(), "tls: ")
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "the peer does not speak TLS on this port"
	}
	return ""
}
