{{- define "vallum.name" -}}
{{- printf "%s-%s" .root.Release.Name .part | replace "_" "-" | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "vallum.labels" -}}
app.kubernetes.io/name: vallum
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{- define "vallum.selector" -}}
app.kubernetes.io/name: vallum
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "vallum.redis" -}}
{{- if .Values.redis.embedded -}}
redis://{{ include "vallum.name" (dict "root" . "part" "redis") }}:6379/0
{{- else -}}
{{ required "redis.url: where the matches live" .Values.redis.url }}
{{- end -}}
{{- end -}}

{{- define "vallum.broker" -}}
{{- if .Values.redis.embedded -}}
redis://{{ include "vallum.name" (dict "root" . "part" "broker") }}:6379/0
{{- else -}}
{{ required "redis.brokerUrl: where Celery's queues live" .Values.redis.brokerUrl }}
{{- end -}}
{{- end -}}

{{/* What every pod of ours has in common: {root, part, command, database, probes, resources}. */}}
{{- define "vallum.pod" -}}
metadata:
  labels:
    {{- include "vallum.labels" . | nindent 4 }}
  annotations:
    checksum/environment: {{ include (print .root.Template.BasePath "/environment.yaml") .root | sha256sum }}
    prometheus.io/scrape: "true"
    prometheus.io/port: "9100"
spec:
  {{- with .root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: {{ .root.Values.gracePeriod }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    fsGroup: 10001
    seccompProfile: {type: RuntimeDefault}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "vallum.selector" . | nindent 10 }}
  containers:
    - name: vallum
      image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: {{ .command | toJson }}
      envFrom:
        - configMapRef: {name: {{ include "vallum.name" (dict "root" .root "part" "environment") }}}
      env:
        - name: VALLUM_REPLICA
          valueFrom: {fieldRef: {fieldPath: metadata.name}}
        {{- with .database }}
        - name: VALLUM_{{ upper . }}_DB
          valueFrom: {secretKeyRef: {name: {{ $.root.Values.databaseSecret }}, key: {{ . }}}}
        {{- end }}
        {{- with .tls }}
        - {name: VALLUM_EDGE_CERTIFICATE, value: /tls/tls.crt}
        - {name: VALLUM_EDGE_PRIVATE_KEY, value: /tls/tls.key}
        {{- end }}
      ports:
        {{- range $name, $port := .ports }}
        - {name: {{ $name }}, containerPort: {{ $port }}}
        {{- end }}
        - {name: metrics, containerPort: 9100}
      {{- with .startup }}
      startupProbe:
        {{- toYaml . | nindent 8 }}
        periodSeconds: 2
        failureThreshold: 60
      {{- end }}
      {{- with .readiness }}
      readinessProbe:
        {{- toYaml . | nindent 8 }}
        periodSeconds: 5
        timeoutSeconds: 3
      {{- end }}
      livenessProbe:
        {{- toYaml .liveness | nindent 8 }}
        initialDelaySeconds: 30
        periodSeconds: 15
        timeoutSeconds: 5
        failureThreshold: 4
      resources:
        {{- toYaml .resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      volumeMounts:
        - {name: key, mountPath: /run/secrets/vallum, readOnly: true}
        - {name: scratch, mountPath: /tmp}
        {{- with .tls }}
        - {name: tls, mountPath: /tls, readOnly: true}
        {{- end }}
  volumes:
    - name: key
      secret: {secretName: {{ .root.Values.keySecret }}, defaultMode: 288}
    - name: scratch
      emptyDir: {sizeLimit: 256Mi}
    {{- with .tls }}
    - name: tls
      secret: {secretName: {{ . }}, defaultMode: 288}
    {{- end }}
{{- end -}}

{{/* At most one pod of a part may be missing by will: {root, part}. */}}
{{- define "vallum.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "vallum.name" . }}
  labels:
    {{- include "vallum.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "vallum.selector" . | nindent 6 }}
{{- end -}}
